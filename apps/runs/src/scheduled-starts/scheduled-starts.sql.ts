import type { RunStartPart } from '../run-core/statement-parts.js';

/** A firing is gone in the statement that makes its run: it starts one run, however often it is tried. */
export const firedStarts: RunStartPart = {
  sql: 'fired AS (DELETE FROM scheduled_start USING accepted WHERE scheduled_start.run_id = accepted.id)',
};
