import type { RunStartPart } from '../../run-core/changes/statement-parts.js';
import { searchable } from './searchable.js';

/** The title is stored beside its run, folded as searches compare it. */
export const searchedTitles: RunStartPart = {
  columns: [['searched_title', 'text']],
  values: ({ title, case_title: caseTitle }) => ({
    searched_title: searchable(caseTitle === null || caseTitle === title ? title : `${title}\n${caseTitle}`),
  }),
  sql: `titled AS (
    INSERT INTO run_title (run_id, team_id, title) SELECT run_id, team_id, searched_title FROM changed)`,
};

/** Part of the statement that deletes runs. */
export const deletedTitles = `titles AS (DELETE FROM run_title USING gone WHERE run_title.run_id = gone.id)`;
