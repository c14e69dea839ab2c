import type { Row } from './command.js';

/** Rows below their names, aligned. */
export function tableOf(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return '';
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => textOf(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What a team has written must not move the cursor of a terminal. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
