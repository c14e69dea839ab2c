/** Columns that are fields of a case; every other is a label or a part of its data. */
export const fieldColumns = ['title', 'priority', 'postponed_to'] as const;

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
  if (name.startsWith(dataPrefix)) return isMistakable(name.slice(dataPrefix.length));
  return isField(name) || name.startsWith(labelPrefix);
}
