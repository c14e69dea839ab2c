const hidden = '[hidden]';

/** Shorter ones occur everywhere; to hide them would spoil what is said. */
const shortest = 6;
/** Parts of a path are ordinary words, unless they are long. */
const shortestSegment = 16;

/** The values that servers are sent and no run may show: taken out of whatever a server says. */
export class SecretValues {
  private readonly values = new Set<string>();

  /** The headers of a connection, but for those that are no secret. */
  add(headers: Readonly<Record<string, string>>, publicNames: readonly string[]): void {
    for (const [name, value] of Object.entries(headers)) {
      if (publicNames.includes(name)) continue;
      // With its scheme, and alone as servers repeat it.
      const [, credentials = value] = /^[\w-]+ +(\S+)$/.exec(value) ?? [];
      for (const text of [value, credentials].flatMap(spellingsOf)) this.values.add(text);
    }
  }

  /** An address that authenticates by itself: whole, and the parts of it that are long enough to be a key. */
  addAddress(address: string): void {
    const { href, pathname, search, searchParams } = new URL(address);
    const segments = pathname.split('/').filter((part) => part.length >= shortestSegment);
    const texts = [href, `${pathname}${search}`, pathname, ...segments, ...searchParams.values()];
    for (const text of texts.flatMap(spellingsOf)) this.values.add(text);
  }

  hideIn(text: string): string {
    let shown = text;
    for (const value of this.values) shown = shown.replaceAll(value, hidden);
    return shown;
  }

  /** In every text of a JSON value, keys too. */
  hideWithin<T>(value: T): T;
  hideWithin(value: unknown): unknown {
    if (typeof value === 'string') return this.hideIn(value);
    if (Array.isArray(value)) return value.map((item) => this.hideWithin(item as unknown));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.hideIn(key), this.hideWithin(item as unknown)]),
    );
  }

  /** In bytes of whatever kind; most have none in them and stay as they are. */
  hideInBytes(bytes: Buffer): Buffer {
    let shown = bytes;
    for (const value of this.values) {
      if (!shown.includes(value)) continue;
      const latin = Buffer.from(value).toString('latin1');
      shown = Buffer.from(shown.toString('latin1').replaceAll(latin, hidden), 'latin1');
    }
    return shown;
  }
}

/** As it is, within JSON, and within an address. */
function spellingsOf(text: string): string[] {
  if (text.length < shortest) return [];
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())];
}
