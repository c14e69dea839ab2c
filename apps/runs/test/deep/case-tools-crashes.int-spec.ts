import { eventually, type ServiceProcess } from '@aos/testing';
import { casesClient, type CasesClient } from '../cases-under-test.js';
import { installGate, startKillableRuns, type Gate, type KillableRuns } from '../tools-under-test.js';

describe('a worker that dies between the effect of a case tool and its step', () => {
  let runs: KillableRuns;
  let cases: CasesClient;
  let gate: Gate;
  let worker: ServiceProcess;

  beforeAll(async () => {
    runs = await startKillableRuns({ RUN_LEASE_MS: '2000' });
    cases = casesClient(runs);
    worker = await runs.startWorker();
    gate = await installGate(runs.database, 'gate', {
      table: 'run',
      when: 'NEW.tool_calls > OLD.tool_calls',
    });
  });

  afterAll(() => runs?.stop());

  /** Lets a run of a case get as far as the effect of its call, kills its worker, and lets another go on. */
  async function interrupted(line: string): Promise<{ caseId: string; queueId: string }> {
    const queueId = await cases.queue();
    const agentId = await runs.agent([line, 'tool complete_case {}', 'finish ok']);
    const [made] = await cases.add(queueId, 'interrupted');
    await gate.close();
    await cases.trigger(agentId, queueId, { concurrency: 1 });
    await eventually(async () => expect(await gate.waiting()).toBe(1));
    await runs.kill(worker);
    await gate.open();
    worker = await runs.startWorker();
    return { caseId: made!.id, queueId };
  }

  it('has settled the case once', async () => {
    const { caseId } = await interrupted('tool complete_case {"result": "Done"}');
    const { case: row } = await cases.reach(caseId, 'completed');
    await runs.reach(row.claimed_by_run_id!, 'completed');
    expect(await cases.history(caseId)).toEqual(['created', 'claimed', 'completed']);
    const events = await runs.database.query(
      `SELECT event FROM runs.logged_event WHERE event = 'queue.case.completed' AND data ->> 'case_id' = $1`,
      [caseId],
    );
    expect(events).toHaveLength(1);
    const messages = await runs.messages(row.claimed_by_run_id!);
    const [first] = messages.flatMap(({ tool_result: result }) => result ?? []);
    expect(first).toMatchObject({ result: { case_id: caseId, status: 'completed' } });
  });

  it('has added cases once', async () => {
    const other = await cases.queue();
    const { caseId } = await interrupted(
      `tool add_cases {"queue_id": "${other}", "cases": [{"title": "one"}, {"title": "two"}]}`,
    );
    await cases.reach(caseId, 'completed');
    const rows = await runs.database.query(
      'SELECT title FROM runs.queue_case WHERE queue_id = $1 ORDER BY id',
      [other],
    );
    expect(rows).toEqual([{ title: 'one' }, { title: 'two' }]);
  });
});
