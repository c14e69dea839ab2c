/**
 * A spreadsheet takes a cell that begins so for a formula, and would run what a stranger has written into a case. One that
 * separates cells by semicolons or tabs also finds cells within one of ours, in spite of quotes around it.
 */
const formula = /(^|[;\t\r\n])('*[=+\-@][^;\t\r\n]*)/g;
const guarded = /(^|[;\t\r\n])'('*[=+\-@])/g;
const plainNumber = /^[+-]?\d+([.,]\d+)*$/;
const needsQuotes = /[",;\t\n\r]/;

/** A cell of a CSV file. What looks like a formula is shown as text by a quote before it. */
export function csvCell(text: string): string {
  const safe = text.replaceAll(formula, (found, before: string, cell: string) =>
    plainNumber.test(cell) ? found : `${before}'${cell}`,
  );
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that was written so. */
export function withoutGuard(cell: string): string {
  return cell.replaceAll(guarded, '$1$2');
}
