/** How deep and how large the JSON of one message may be. A small text can become a hundred times its size in memory. */
export interface JsonLimits {
  readonly maxDepth: number;
  /** Limits the number of objects, arrays and their elements. */
  readonly maxNodes: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const lineFeed = 0x0a;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/**
 * Reads JSON as it arrives, without making anything of it, and tells when it is too deep or has too many parts. What is
 * no JSON gets some count too; a parser refuses it later.
 */
export class JsonShape {
  /** Size of the current message. */
  bytes = 0;
  private depth = 0;
  private nodes = 0;
  private isInText = false;
  private isEscaped = false;
  private isLineEmpty = true;

  /** Between server-sent events an empty line ends a message. */
  constructor(
    private readonly limits: JsonLimits,
    private readonly isEventStream: boolean,
  ) {}

  /** The limit that is exceeded, if one is. */
  read(bytes: Uint8Array): keyof JsonLimits | undefined {
    for (const byte of bytes) {
      this.bytes += 1;
      if (byte === lineFeed) this.endLine();
      else if (byte !== 0x0d) this.isLineEmpty = false;
      if (this.isEscaped) this.isEscaped = false;
      else if (this.isInText) this.readText(byte);
      else this.readStructure(byte);
      if (this.depth > this.limits.maxDepth) return 'maxDepth';
      if (this.nodes > this.limits.maxNodes) return 'maxNodes';
    }
    return undefined;
  }

  /** JSON has no line feeds in texts, so that one ends a text that was none. */
  private endLine(): void {
    this.isInText = false;
    this.isEscaped = false;
    if (this.isLineEmpty && this.isEventStream) {
      this.depth = 0;
      this.nodes = 0;
      this.bytes = 0;
    }
    this.isLineEmpty = true;
  }

  private readText(byte: number): void {
    if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) this.isInText = false;
  }

  private readStructure(byte: number): void {
    if (byte === quote) this.isInText = true;
    else if (byte === openBrace || byte === openBracket) {
      this.depth += 1;
      this.nodes += 1;
    } else if (byte === closeBrace || byte === closeBracket) this.depth -= 1;
    else if (byte === comma) this.nodes += 1;
  }
}
