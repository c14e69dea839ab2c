/** A name that is looked up before its record is there is found soon after; one that is misspelt never is. */
const unknownNameMs = 60_000;

/** The certificate of the store is not trusted, or is of another host. */
const untrusted = /CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO_/;

/** Whether a store that has had this fault for so long may be there later, without anybody's doing here. */
export function mayMend(error: unknown, sameForMs: number): boolean {
  const code = codeOf(error);
  if (code === 'ENOTFOUND') return sameForMs < unknownNameMs;
  return !untrusted.test(code);
}

/** Several addresses of one name fail together, and then the message is empty. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message || codeOf(error) || 'no connection';
}

export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
