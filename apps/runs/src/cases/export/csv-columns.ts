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

/** Columns that are fields of a case; every other is a label or a part of its data. */
export const fieldColumns = ['title', 'priority', 'postponed_to'] as const;

/** How many columns for labels and data a file may have, so that what is exported can be imported. */
export const maxColumns = 500;

/** Before the key of a label. A case may have several labels with one key; then the column is there as often. */
export const labelPrefix = 'label:';

/** Before a name in the data that would be taken for something else. */
const dataPrefix = 'data:';

const fields: ReadonlySet<string> = new Set(fieldColumns);

export function isField(column: string): boolean {
  return fields.has(column);
}

export function columnOfData(name: string): string {
  return isMistakable(name) ? `${dataPrefix}${name}` : name;
}

/** The name in the data that a column is for, if it is neither a field nor a label. */
export function dataOfColumn(column: string): string {
  const rest = column.slice(dataPrefix.length);
  return column.startsWith(dataPrefix) && isMistakable(rest) ? rest : column;
}

function isMistakable(name: string): boolean {
  let rest = name;
  while (rest.startsWith(dataPrefix)) rest = rest.slice(dataPrefix.length);
  return isField(rest) || rest.startsWith(labelPrefix);
}
