import type { AppError } from '@aos/contracts';
import type { RunChange } from './run-change.js';
import type { NewRun, NewRunRow } from '../starts/new-run.js';

/** A column that a part adds to the input of the core's statement, with its type. */
export type PartColumn = readonly [name: string, type: string];

/**
 * A part that another feature adds to the statement that changes runs: both are stored or neither. The feature owns its
 * table and this SQL, the core owns the statement.
 */
export interface RunChangePart {
  /** The changes that it has something to do with; all of them where it does not say. */
  concerns?(change: RunChange): boolean;
  /** Columns of `changed` that the part reads. */
  readonly columns: readonly PartColumn[];
  values(change: RunChange): Readonly<Record<string, unknown>>;
  /**
   * Common table expressions. `changed` has a row for each run that was changed: `at`, `run_id`, `reopened_from`, the
   * columns of this part, and of the run those that the ledger counts by, `build_id`, `case_id` and `completed_at`.
   */
  readonly sql: string;
  /** A column that the statement gives for each row of `changed`, from these expressions. */
  readonly told?: string;
}

/** A part that another feature adds to the statement that starts runs. */
export interface RunStartPart {
  /** The runs that it has something to do with; all of them where it does not say. */
  concerns?(run: NewRun): boolean;
  /** Columns of `changed` that the part reads. */
  readonly columns?: readonly PartColumn[];
  values?(run: NewRunRow): Readonly<Record<string, unknown>>;
  /**
   * Common table expressions. `accepted` has a row for each run that was not refused, `changed` one for each that was
   * made: `at`, `run_id`, `team_id`, `case_id` and the columns of this part.
   */
  readonly sql?: string;
  readonly refusal?: {
    /** A condition on a row of `input`. */
    readonly when: string;
    readonly reason: string;
    error(): AppError;
  };
}

/** Injection tokens of the parts; the app says which there are. */
export const RunChangeParts = Symbol('RunChangeParts');
export const RunStartParts = Symbol('RunStartParts');

export interface StatementForm<Part> {
  readonly sql: string;
  readonly parts: readonly Part[];
}

/**
 * A statement of the core in two forms: with all parts, and without those that concern nothing in most batches, for a
 * part costs also where it has no rows. Not in one form for each set of parts, since every connection plans each form.
 */
export class StatementForms<Item, Part extends { concerns?(item: Item): boolean }> {
  readonly whole: StatementForm<Part>;
  readonly plain: StatementForm<Part>;

  constructor(parts: readonly Part[], sqlOf: (parts: readonly Part[]) => string) {
    const always = parts.filter((part) => !part.concerns);
    this.whole = { sql: sqlOf(parts), parts };
    this.plain = { sql: sqlOf(always), parts: always };
  }

  for(items: readonly Item[]): StatementForm<Part> {
    const isPlain = items.every((item) => !this.whole.parts.some((part) => part.concerns?.(item)));
    return isPlain ? this.plain : this.whole;
  }
}

/** The columns of parts as they are declared in the input of a statement; each ends with a comma. */
export function declared(columns: readonly PartColumn[]): string {
  return columns.map(([name, type]) => `${name} ${type}, `).join('');
}

/** The columns of parts as they are selected from a table; each begins with a comma. */
export function selected(columns: readonly PartColumn[], table: string): string {
  return columns.map(([name]) => `, ${table}.${name}`).join('');
}
