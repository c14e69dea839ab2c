import { stopRun } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';
import { agentWith, callEnds, linesOf, perform, type Call } from './tools-under-test.js';

describe('code of a run', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  const code = (text: string): Call => ['run_code', { code: text }];

  it('gives what it returns and prints', async () => {
    const { ends } = await perform(runs, [
      code('console.log("adding"); return { sum: [1, 2, 3].reduce((a, b) => a + b) };'),
      code('return await Promise.resolve("later")'),
      code('1 + 1'),
    ]);
    expect(ends.map(({ result }) => result)).toEqual([
      { result: { sum: 6 }, output: 'adding\n' },
      { result: 'later', output: '' },
      { result: 2, output: '' },
    ]);
  });

  it('reads and writes the files of the run, and no others', async () => {
    const { run, ends } = await perform(runs, [
      ['write_file', { path: 'in.csv', content: '1\n2\n3' }],
      code(`const numbers = (await files.read('in.csv')).split('\\n').map(Number);
        await files.write('out/sum.txt', String(numbers.reduce((a, b) => a + b)));
        return (await files.list('out')).map(({ path, size_bytes }) => [path, size_bytes]);`),
      ['read_file', { path: 'out/sum.txt' }],
      code(`return await files.remove('in.csv')`),
      ['read_file', { path: 'in.csv' }],
      code(`return await files.read('../../etc/passwd')`),
      code(`try { await files.read('nothing.txt') } catch (error) { return error.message }`),
    ]);
    expect(ends.map(({ result, error }) => error ?? result)).toEqual([
      { path: '/workspace/in.csv', size_bytes: 5 },
      { result: [['/workspace/out/sum.txt', 1]], output: '' },
      '6',
      expect.objectContaining({ output: '' }),
      'There is nothing at in.csv.',
      expect.stringContaining('path'),
      { result: expect.any(String), output: '' },
    ]);
    expect((await runs.events(run.id)).filter((event) => event === 'run.file.created')).toHaveLength(2);
  });

  it('is told what is wrong with it', async () => {
    const { ends } = await perform(runs, [
      code('console.log("so far"); throw new Error("no paper left")'),
      code('return ]'),
      code('return fetch("http://example.com")'),
      code('return process.env'),
      ['run_code', {}],
    ]);
    expect(ends.map(({ error }) => error)).toEqual([
      expect.stringMatching(/no paper left[^]*so far/),
      expect.stringContaining('SyntaxError'),
      expect.stringContaining('fetch'),
      expect.stringContaining('process'),
      expect.stringContaining('code'),
    ]);
  });

  it('ends when the run is stopped, and makes room for others', async () => {
    const agentId = await agentWith(runs, [...linesOf([code('for (;;);')]), 'finish done']);
    const stuck = await Promise.all([1, 2].map(() => runs.start(agentId)));
    await eventually(async () => {
      const rows = await runs.database.query(
        `SELECT 1 FROM runs.run_step WHERE run_id = ANY ($1) AND status = 'running'`,
        [stuck.map(({ id }) => id)],
      );
      expect(rows).toHaveLength(2);
    });
    for (const { id } of stuck) await runs.call(stopRun, { params: { run_id: id } });
    const next = await perform(runs, [code('return 1')]);
    expect(next.ends[0]!.result).toEqual({ result: 1, output: '' });
    for (const { id } of stuck) {
      expect((await runs.show(id)).run.status).toBe('stopped');
      expect(await callEnds(runs, id)).toEqual([]);
    }
  });
});
