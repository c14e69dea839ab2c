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
const carriageReturn = 0x0d;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;
const dataField = Buffer.from('data:');
/** May stand before the first line. */
const byteOrderMark = Buffer.from('\uFEFF');

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
  /** Of an event stream: how much of the current line there is, and how much of it is the name of the field. */
  private lineBytes = 0;
  private nameBytes = 0;
  private isAfterReturn = false;

  /** Between server-sent events an empty line ends a message. */
  constructor(
    private readonly limits: JsonLimits,
    private readonly isEventStream: boolean,
  ) {}

  /** The limit that is exceeded, if one is. */
  read(bytes: Uint8Array): keyof JsonLimits | undefined {
    for (const byte of bytes) {
      this.bytes += 1;
      if (!this.isEventStream || this.isOfData(byte)) this.readJson(byte);
      if (this.depth > this.limits.maxDepth) return 'maxDepth';
      if (this.nodes > this.limits.maxNodes) return 'maxNodes';
    }
    return undefined;
  }

  /** Whether a byte of an event stream belongs to its data. Comments and other fields count for nothing. */
  private isOfData(byte: number): boolean {
    const isSecondOfEnd = this.isAfterReturn && byte === lineFeed;
    this.isAfterReturn = byte === carriageReturn;
    if (isSecondOfEnd) return false;
    if (byte === lineFeed || byte === carriageReturn) {
      this.endLine();
      return false;
    }
    if (this.lineBytes === 0 && byteOrderMark.includes(byte)) return false;
    if (this.nameBytes === dataField.length) return true;
    if (this.lineBytes === this.nameBytes && byte === dataField[this.nameBytes]) this.nameBytes += 1;
    this.lineBytes += 1;
    return false;
  }

  private endLine(): void {
    if (this.lineBytes === 0) {
      this.depth = 0;
      this.nodes = 0;
      this.bytes = 0;
    }
    this.lineBytes = this.nameBytes = 0;
    this.isInText = false;
    this.isEscaped = false;
  }

  private readJson(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === lineFeed) this.isInText = false;
    else if (this.isInText) this.readText(byte);
    else this.readStructure(byte);
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
    } else if (byte === closeBrace || byte === closeBracket) this.depth = Math.max(0, this.depth - 1);
    else if (byte === comma) this.nodes += 1;
  }
}
