import { eventually } from '@aos/testing';
import { startRuns, type RunsUnderTest } from '../runs-under-test.js';
import { agentWith, callEnds, linesOf, perform, type Call } from '../tools-under-test.js';

describe('code of a run', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  const code = (text: string): Call => ['run_code', { code: text }];

  it('that does not end is ended, and holds up no other run meanwhile', async () => {
    const agentId = await agentWith(runs, [...linesOf([code('for (;;);')]), 'finish went on']);
    const { id } = await runs.start(agentId);
    await eventually(async () => {
      const rows = await runs.database.query(
        `SELECT 1 FROM runs.run_step WHERE run_id = $1 AND status = 'running'`,
        [id],
      );
      expect(rows).toHaveLength(1);
    });
    const other = await perform(runs, [code('return "quick"')]);
    expect(other.ends[0]!.result).toEqual({ result: 'quick', output: '' });
    expect((await runs.show(id)).run.status).toBe('running');
    expect((await runs.reach(id, 'completed')).run.result).toBe('went on');
    expect((await callEnds(runs, id))[0]!.error).toContain('10 s');
  });
});
