import { claimedCases, settledCases } from '../cases/case-parts.sql.js';
import { deletedEvaluations, endedRunEvaluations, evalSummary } from '../evaluations/run-evaluations.sql.js';
import { expiredSandboxes } from '../files/sandboxes.sql.js';
import { refusedOfDeletedAgents } from '../lifecycle/deleted-agents/deleted-agents.sql.js';
import { askedRequests, deletedRequests } from '../lifecycle/human-requests/human-requests.sql.js';
import { deletedTitles, searchedTitles } from '../lifecycle/run-list/run-page.sql.js';
import { countedEnds, uncountedRuns } from '../lifecycle/run-list/run-tally.sql.js';
import { firedStarts } from '../lifecycle/scheduled-starts/scheduled-starts.sql.js';
import { deleteEndedRuns, selectRun } from '../run-core/changes/run-changes.sql.js';
import type { RunChangePart, RunStartPart } from '../run-core/changes/statement-parts.js';
import { postponedTo } from '../run-core/run-row.sql.js';
import { deletedBrowserRecords } from '../tools/browser/browser.sql.js';
import { deletedCaseCalls } from '../tools/cases/case-tools.sql.js';
import { firstEnd } from './first-end.sql.js';

// The statements of the core, each with the parts that other features add to it.

export const changeParts: readonly RunChangePart[] = [
  askedRequests,
  endedRunEvaluations,
  countedEnds,
  settledCases,
];

export const startParts: readonly RunStartPart[] = [
  refusedOfDeletedAgents,
  searchedTitles,
  firedStarts,
  claimedCases,
];

export const deleteWithAll = deleteEndedRuns([
  deletedRequests,
  deletedTitles,
  deletedEvaluations,
  deletedBrowserRecords,
  deletedCaseCalls,
  expiredSandboxes,
  uncountedRuns,
]);

export const selectDetails = selectRun(evalSummary, postponedTo);

export const selectAsTask = selectRun(evalSummary, postponedTo, firstEnd);
