import { hasUnstorableText, newCaseSchema, withoutAbsentNulls, type NewCase } from '@aos/contracts';

/** Longer rows are refused, so that none can fill the memory. */
export const mostBytesOfRow = 1024 * 1024;

export interface RowPlace {
  /** Where people find it. The first line is 1. */
  readonly line: number;
  /**
   * Larger than those of all rows before it; an import that was cut off goes on behind one. In a CSV file it is larger than
   * the line where a line break within quotes has two characters: processes of the version before know it so.
   */
  readonly position: number;
}

/** A row of a file: what it says, or why it cannot be read. */
export type FileRow = RowPlace & {
  /** How much text it holds, about. */
  readonly size: number;
} & ({ readonly value: unknown } | { readonly fault: string });

/** A row that becomes a case, or what is wrong with it. */
export type CheckedRow = RowPlace & ({ readonly wanted: NewCase } | { readonly fault: string });

/** As deep as a body may be. */
const mostLevels = 100;
const mostFaults = 5;

export function checkedRow({ line, position, ...row }: FileRow): CheckedRow {
  const found = 'fault' in row ? { fault: row.fault } : checked(row.value);
  return { line, position, ...found };
}

function checked(value: unknown): { readonly wanted: NewCase } | { readonly fault: string } {
  if (isDeeperThan(value, mostLevels)) return { fault: `nested more than ${mostLevels} deep` };
  if (hasUnstorableText(value)) return { fault: 'contains a NUL or an unpaired surrogate' };
  const { data, error } = newCaseSchema.safeParse(withoutAbsentNulls(newCaseSchema, value));
  if (data) return { wanted: data };
  const faults = error.issues.slice(0, mostFaults).map(({ path, message }) => {
    return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
  });
  return { fault: faults.join('; ') };
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
