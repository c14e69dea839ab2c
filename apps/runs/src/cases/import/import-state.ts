import { type importCases, maxImportRows, type NewCase, type OperationResponse } from '@aos/contracts';
import type { CheckedRow } from './imported-rows.js';

/** How far an import has got. */
export interface ImportState {
  /** The position of the last row that was looked at. */
  readonly line: number;
  readonly rows: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

export const nothingImported: ImportState = { line: 0, rows: 0, accepted: 0, rejected: 0, errors: [] };

const maxErrors = 100;
const maxInBatch = 500;
const tooMany = `more than ${maxImportRows} rows in one import; what follows was not read`;

/** How many rows the next batch may have. One past the most is looked at and named, and nothing is read behind it. */
export function roomInBatch({ rows }: ImportState): number {
  return Math.min(maxInBatch, Math.max(0, maxImportRows + 1 - rows));
}

/** Which rows of a batch become cases, and how far the import is with them. The row past the most is left out, and named. */
export function weighed(
  batch: readonly CheckedRow[],
  state: ImportState,
): { readonly wanted: NewCase[]; readonly after: ImportState } {
  const room = Math.max(0, maxImportRows - state.rows);
  const wanted = batch.slice(0, room).flatMap((row) => ('wanted' in row ? [row.wanted] : []));
  const faults = batch.flatMap((row, place) => {
    if (place >= room) return [{ line: row.line, message: tooMany }];
    return 'fault' in row ? [{ line: row.line, message: row.fault }] : [];
  });
  const after: ImportState = {
    line: batch.at(-1)!.position,
    rows: state.rows + batch.length,
    accepted: state.accepted + wanted.length,
    rejected: state.rejected + faults.length,
    errors: [...state.errors, ...faults].slice(0, maxErrors),
  };
  return { wanted, after };
}

export function answerOf({ accepted, rejected, errors }: ImportState): OperationResponse<typeof importCases> {
  return { accepted, rejected, errors: [...errors] };
}
