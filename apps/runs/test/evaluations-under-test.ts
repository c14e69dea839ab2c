import {
  createEvalRubric,
  getRunEvaluation,
  type Evaluation,
  type OperationResponse,
  type RubricResult,
} from '@aos/contracts';
import { eventually, type TestDatabase } from '@aos/testing';
import type { RunsClient } from './runs-under-test.js';

type Rubric = OperationResponse<typeof createEvalRubric>['rubric'];

/** What tests do with evaluations, over Redis as the gateway does it. */
export class EvaluationsClient {
  constructor(
    private readonly runs: RunsClient,
    private readonly database: TestDatabase,
  ) {}

  /** A rubric of the agent's live build, or of another. */
  async rubric(agentId: string, fields: Partial<Rubric>): Promise<Rubric> {
    const body = { title: 'A rubric', description: 'What the agent has to do.', ...fields };
    const answer = await this.runs.call(createEvalRubric, { params: { agentId }, body });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body.rubric;
  }

  async show(agentId: string, runId: string): Promise<Evaluation | null> {
    const { body } = await this.runs.call(getRunEvaluation, { params: { agentId, runId } });
    return body.data;
  }

  /** The evaluation once it is done. */
  judged(agentId: string, runId: string, status: Evaluation['status'] = 'ready'): Promise<Evaluation> {
    return eventually(
      async () => {
        const evaluation = await this.show(agentId, runId);
        if (evaluation?.status !== status) throw new Error(`It is ${evaluation?.status}, not ${status}`);
        return evaluation;
      },
      { timeoutMs: 40_000 },
    );
  }

  /** Makes what waits for its next attempt due. */
  async hurry(runId: string): Promise<void> {
    await this.database.query(`UPDATE runs.run_evaluation SET due_at = now() WHERE run_id = $1`, [runId]);
  }

  /** As the statement does that ends a run again. */
  async judgeAnew(runIds: readonly string[]): Promise<void> {
    await this.database.query(
      `UPDATE runs.run_evaluation SET status = 'in_progress', attempts = 0, due_at = now()
        WHERE run_id = ANY ($1)`,
      [runIds],
    );
  }

  /** What billing is told of the answers of the judge of a run, in their order. */
  async usageTold(runId: string): Promise<object[]> {
    const rows = await this.database.query<{ usage: object }>(
      `SELECT meta -> 'usage' AS usage FROM runs.logged_event
        WHERE event = 'usage.judge' AND data ->> 'run_id' = $1 ORDER BY id`,
      [runId],
    );
    return rows.map(({ usage }) => usage);
  }

  async row(runId: string): Promise<{ status: string; attempts: number; id: string } | undefined> {
    const [row] = await this.database.query<{ status: string; attempts: number; id: string }>(
      'SELECT status, attempts, id FROM runs.run_evaluation WHERE run_id = $1',
      [runId],
    );
    return row;
  }
}

/** The verdicts by key or title. */
export function verdictsOf({ results }: Pick<Evaluation, 'results'>): Record<string, boolean | null> {
  return Object.fromEntries(results.map((result) => [result.key ?? result.title, result.passed]));
}

export function failedOf({ results }: Pick<Evaluation, 'results'>): string[] {
  return results.filter(({ passed }) => passed === false).map(nameOf);
}

function nameOf({ key, title }: RubricResult): string {
  return key ?? title;
}
