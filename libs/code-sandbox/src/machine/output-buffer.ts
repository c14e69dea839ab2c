import { formatBytes } from '../code-limits.js';

const headerBytes = 8;

/**
 * The output of a run in memory that both threads see: what code printed is there also when its thread had to be
 * ended, and printing a million lines sends no messages.
 */
export class OutputBuffer {
  private readonly header: Int32Array;
  private readonly bytes: Uint8Array;
  private readonly encoder = new TextEncoder();

  constructor(readonly shared: SharedArrayBuffer) {
    this.header = new Int32Array(shared, 0, 2);
    this.bytes = new Uint8Array(shared, headerBytes);
  }

  static allocate(maxBytes: number): OutputBuffer {
    return new OutputBuffer(new SharedArrayBuffer(headerBytes + maxBytes));
  }

  /** Takes what fits, cut between characters. After the first cut nothing more is taken. */
  append(text: string): void {
    if (Atomics.load(this.header, 1) === 1) return;
    const used = Atomics.load(this.header, 0);
    const { read, written } = this.encoder.encodeInto(text, this.bytes.subarray(used));
    Atomics.store(this.header, 0, used + written);
    if (read < text.length) Atomics.store(this.header, 1, 1);
  }

  text(): string {
    const text = Buffer.from(this.bytes.subarray(0, Atomics.load(this.header, 0))).toString('utf8');
    if (Atomics.load(this.header, 1) === 0) return text;
    return `${text}\n[the output was cut at ${formatBytes(this.bytes.length)}]\n`;
  }
}
