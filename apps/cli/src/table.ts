import { oneLine } from './safe-text.js';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null | undefined;
  /** The most that it takes of a line. */
  readonly width?: number;
}

const gap = '  ';

/** Rows as lines of columns that stand under each other. */
export function tableLines<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const cells = rows.map((row) =>
    columns.map(({ value, width }) => oneLine(String(value(row) ?? '–'), width)),
  );
  const titles = columns.map(({ title }) => title);
  const widths = titles.map((title, index) =>
    Math.max(...[title, ...cells.map((line) => line[index]!)].map((cell) => [...cell].length)),
  );
  return [titles, ...cells].map((line) =>
    line
      .map((cell, index) => cell + ' '.repeat(widths[index]! - [...cell].length))
      .join(gap)
      .trimEnd(),
  );
}
