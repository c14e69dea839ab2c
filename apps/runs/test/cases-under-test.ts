import {
  createCases,
  createCaseTrigger,
  createQueue,
  getCase,
  type Case,
  type CaseDisplayStatus,
  type NewCase,
  type OperationResponse,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import type { RunsClient } from './runs-under-test.js';

type GivenCase = Partial<NewCase> & { readonly title: string };
type PublicCase = OperationResponse<typeof getCase>;

/** What tests do with queues and cases. */
export interface CasesClient {
  /** A queue with a name of its own; gives its id. */
  queue(name?: string): Promise<string>;
  add(queueId: string, ...cases: readonly (string | GivenCase)[]): Promise<Case[]>;
  trigger(agentId: string, queueId: string, more?: object): Promise<string>;
  show(caseId: string): Promise<PublicCase>;
  /** The case once it is shown as one of these. */
  reach(caseId: string, ...statuses: CaseDisplayStatus[]): Promise<PublicCase>;
  /** What happened to it, in order. */
  history(caseId: string): Promise<string[]>;
}

/** What a bulk change answers that has stopped no run, in both spellings. */
export function counted(change: 'updated' | 'reprocessed' | 'deleted', touched: number, skipped: number) {
  return {
    [`${change}_count`]: touched,
    skipped_count: skipped,
    interrupted_run_ids: [],
    [`${change}Count`]: touched,
    skippedCount: skipped,
    interruptedRunIds: [],
  };
}

/** What a deletion of cases with their queue, or of all in it, answers, in both spellings. */
export function deletedWith(cases: number, runIds: readonly (string | null)[] = []) {
  return {
    success: true,
    deleted_case_count: cases,
    interrupted_run_ids: runIds,
    deletedCount: cases,
    interruptedRunIds: runIds,
  };
}

let queues = 0;

export function casesClient(runs: RunsClient): CasesClient {
  const succeed = async <T>(answer: Promise<{ status: number; body: T; text: string }>): Promise<T> => {
    const { status, body, text } = await answer;
    if (status >= 300) throw new Error(`Answered ${status}: ${text}`);
    return body;
  };
  const show = (caseId: string) => succeed(runs.call(getCase, { params: { case_id: caseId } }));
  return {
    queue: async (name = `Queue ${(queues += 1)}`) =>
      (await succeed(runs.call(createQueue, { body: { name } }))).queue_id,
    add: async (queueId, ...cases) => {
      const body = { cases: cases.map((given) => (typeof given === 'string' ? { title: given } : given)) };
      const made = await succeed(runs.call(createCases, { params: { queue_id: queueId }, body }));
      return made.added_cases as Case[];
    },
    trigger: async (agentId, queueId, more = {}) => {
      const request = { params: { agent_id: agentId }, body: { case_queue_id: queueId, ...more } };
      return (await succeed(runs.call(createCaseTrigger, request))).trigger_id;
    },
    show,
    reach: (caseId, ...statuses) =>
      eventually(
        async () => {
          const shown = await show(caseId);
          const status = shown.case.display_status;
          if (!statuses.includes(status))
            throw new Error(`The case is ${status}, not ${statuses.join(' or ')}`);
          return shown;
        },
        { timeoutMs: 30_000 },
      ),
    history: async (caseId) => (await show(caseId)).events.map(({ type }) => type),
  };
}
