/** A spreadsheet takes a cell that begins so for a formula, and would run what a stranger has written into a case. */
const formula = /^[=+\-@\t\r]/;
const guarded = /^'[=+\-@\t\r]/;
const plainNumber = /^[+-]?\d+([.,]\d+)*$/;
const needsQuotes = /[",\n\r]/;

/** A cell of a CSV file. What looks like a formula is shown as text by a quote before it. */
export function csvCell(text: string): string {
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that was written so. */
export function withoutGuard(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}
