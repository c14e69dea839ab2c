const allowed = ['http:', 'https:', 'mailto:'];

/** An address that a click may lead to; undefined for one that would run something, or is none. */
export function safeLink(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return allowed.includes(protocol) ? href : undefined;
}
