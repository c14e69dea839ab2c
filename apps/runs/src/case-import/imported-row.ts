import { hasUnstorableText, newCaseSchema, withoutAbsentNulls, type NewCase } from '@aos/contracts';

/** A row of a file: what it says, or why it cannot be read. The first line is 1. */
export type FileRow =
  { readonly line: number; readonly value: unknown } | { readonly line: number; readonly fault: string };

/** A row that becomes a case, or what is wrong with it. */
export type CheckedRow =
  { readonly line: number; readonly wanted: NewCase } | { readonly line: number; readonly fault: string };

/** As deep as a body may be. */
const mostLevels = 100;
const mostFaults = 5;

export function checkedRow(row: FileRow): CheckedRow {
  if ('fault' in row) return row;
  const { line, value } = row;
  if (isDeeperThan(value, mostLevels)) return { line, fault: `nested more than ${mostLevels} deep` };
  if (hasUnstorableText(value)) return { line, fault: 'contains a NUL or an unpaired surrogate' };
  const { data, error } = newCaseSchema.safeParse(withoutAbsentNulls(newCaseSchema, value));
  if (data) return { line, wanted: data };
  const faults = error.issues.slice(0, mostFaults).map(({ path, message }) => {
    return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
  });
  return { line, fault: faults.join('; ') };
}

/** Walks without recursion: what is deep is what is looked for. */
function isDeeperThan(root: unknown, most: number): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
  return false;
}
