import { listRuns } from '@aos/contracts';
import { caseFilterOf } from '../src/cases/case-filter.js';
import { casePageQuery, caseTotalQuery, caseWalkQuery, labelsQuery } from '../src/cases/case-pages.sql.js';
import { anyCaseTallyAfter } from '../src/cases/cases.sql.js';
import { scoreFlags, scoreTrend } from '../src/evaluations/evaluation-scores.sql.js';
import { runFilterOf } from '../src/lifecycle/run-list/run-filters.js';
import { runPageQuery, runTotalQuery } from '../src/lifecycle/run-list/run-page.sql.js';
import { anyTallyAfter } from '../src/lifecycle/run-list/run-tally.sql.js';
import { runChangeForms, selectRun } from '../src/run-core/changes/run-changes.sql.js';
import { runStartForms } from '../src/run-core/starts/run-starts.sql.js';
import { changeParts, startParts } from '../src/runs/run-statements.sql.js';

const id = '01890000-0000-7000-8000-000000000001';
const page = { limit: 20, offset: 40 };
const newest = { by: 'created_at', direction: 'desc' } as const;
const nextToReturn = { by: 'postponed_to', direction: 'asc' } as const;

const runs = runFilterOf(listRuns.query.parse({}));
const searched = { agent_id: id, source: 'mcp', status: 'waiting,failed', search: 'invoice' };
const someRuns = runFilterOf(listRuns.query.parse(searched));
const cases = caseFilterOf(id);
const someCases = { ...caseFilterOf(id, { status: ['postponed'] }, 'invoice'), labelIds: [[id]] };
const scores = { since: new Date(0), onlyCustom: true, buildId: id };

const changes = runChangeForms(changeParts);
const starts = runStartForms(startParts);

/** Statements made by functions, with the parts that the service passes and with typical filters. */
export const samples = {
  runChangeForms: { 'all parts': changes.whole.sql, 'parts of every change': changes.plain.sql },
  runStartForms: { 'all parts': starts.whole.sql, 'parts of every start': starts.plain.sql },
  selectRun: selectRun(),
  runPageQuery: {
    'all runs': runPageQuery(id, runs, newest, page).sql,
    'by their end': runPageQuery(id, someRuns, { ...newest, by: 'completed_at' }, page).sql,
  },
  runTotalQuery: { 'all runs': runTotalQuery(id, runs).sql, filtered: runTotalQuery(id, someRuns).sql },
  anyTallyAfter: anyTallyAfter('7'),
  casePageQuery: {
    'all cases': casePageQuery(cases, newest, page).sql,
    'next to return': casePageQuery(someCases, nextToReturn, page).sql,
  },
  caseTotalQuery: {
    'all cases': caseTotalQuery(cases, 1_060).sql,
    filtered: caseTotalQuery(someCases, 1_060).sql,
  },
  caseWalkQuery: caseWalkQuery(someCases, { created_at: '2026-01-01T00:00:00Z', id }, 100).sql,
  labelsQuery: labelsQuery(cases).sql,
  anyCaseTallyAfter: anyCaseTallyAfter('7'),
  scoreTrend: scoreTrend(id, id, scores).sql,
  scoreFlags: scoreFlags(id, id, scores).sql,
};
