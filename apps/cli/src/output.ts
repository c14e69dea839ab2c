import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import { safePieces, safeText } from './safe-text.js';
import { tableLines, type Column } from './table.js';

export type Style = Parameters<typeof styleText>[0];

export interface OutputOptions {
  /** Output for programs: JSON only. */
  readonly json: boolean;
  readonly colour: boolean;
  /** Whether a person looks at it, and no program or file takes it. */
  readonly isTerminal: boolean;
}

/** Results go to stdout, remarks to stderr. */
export class Output {
  constructor(
    private readonly out: Writable,
    private readonly writeRemark: (text: string) => void,
    readonly options: OutputOptions,
  ) {}

  /** A result: as JSON for programs, else as the lines that people read. */
  result(value: unknown, lines: () => readonly string[]): void {
    if (this.options.json) this.write(`${JSON.stringify(value, null, 2)}\n`);
    else for (const line of lines()) this.line(line);
  }

  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], whatNone: string): void {
    this.result(rows, () => {
      if (rows.length === 0) return [this.style('dim', whatNone)];
      const [titles, ...lines] = tableLines(rows, columns);
      return [this.style('bold', titles!), ...lines];
    });
  }

  /** One of many results: a line of JSON for programs. */
  item(value: unknown, lines: () => readonly string[]): void {
    if (this.options.json) this.write(`${JSON.stringify(value)}\n`);
    else for (const line of lines()) this.line(line);
  }

  /** The content of a file, byte for byte; for a terminal as text that does not steer it. */
  async bytes(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const pieces = this.options.isTerminal ? safePieces(content) : content;
    // As a stream: an iterable would wait for room for ever.
    await pipeline(Readable.from(pieces), this.out, { end: false, signal });
  }

  /** For people alone, and never in the way of a result. */
  remark(text: string): void {
    this.writeRemark(`${text}\n`);
  }

  style(style: Style, text: string): string {
    return this.options.colour ? styleText(style, text, { validateStream: false }) : text;
  }

  private line(text: string): void {
    this.write(`${text}\n`);
  }

  private write(text: string): void {
    this.out.write(text);
  }
}

/** A field and its value, as a line. */
export function fieldLine(name: string, value: string | number | null | undefined): string {
  return `${`${name}:`.padEnd(12)} ${safeText(String(value ?? '–'))}`;
}
