import { listAgentMemoryFiles, putAgentMemoryFile, updateAgent } from '@aos/contracts';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';
import { agentWith, callEnds, linesOf, perform } from './tools-under-test.js';

describe('the memory of an agent', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  it('is written by one run and read by the next', async () => {
    const agentId = await agentWith(runs, [
      ...linesOf([
        ['read_memory', { path: 'customers/ada.md' }],
        ['write_memory', { path: 'customers/ada.md', content: 'likes tea since {{message}}' }],
        ['read_memory', { path: 'customers/ada.md' }],
        ['list_memory'],
      ]),
      'finish done',
    ]);
    const completed = async (message: string) => {
      const { id } = await runs.start(agentId, { message });
      await runs.reach(id, 'completed');
      return { id, ends: (await callEnds(runs, id)).map(({ result, error }) => error ?? result) };
    };
    const first = await completed('Monday');
    const size = 'likes tea since Monday'.length;
    const file = { path: 'customers/ada.md', size_bytes: size };
    expect(first.ends).toEqual([
      'There is no memory file customers/ada.md.',
      file,
      'likes tea since Monday',
      { files: [{ ...file, updated_at: expect.stringMatching(/Z$/) }] },
    ]);
    const second = await completed('Friday');
    expect([second.ends[0], second.ends[2]]).toEqual(['likes tea since Monday', 'likes tea since Friday']);
    const { body } = await runs.call(listAgentMemoryFiles, { params: { agent_id: agentId } });
    expect(body.files).toMatchObject([{ ...file, source_type: 'run', source_run_id: second.id }]);
  });

  it('is that of the agent alone', async () => {
    const other = await perform(runs, [['read_memory', { path: 'customers/ada.md' }], ['list_memory']]);
    expect(other.ends.map(({ result, error }) => error ?? result)).toEqual([
      'There is no memory file customers/ada.md.',
      { files: [] },
    ]);
  });

  it('has what people have put there', async () => {
    const agentId = await agentWith(runs, ['tool read_memory {"path": "rules.md"}', 'finish {{result}}']);
    const params = { agent_id: agentId, path: 'rules.md' };
    await runs.call(putAgentMemoryFile, { params, body: { content: 'Be brief.' } });
    const { id } = await runs.start(agentId);
    expect((await runs.reach(id, 'completed')).run.result).toBe('Be brief.');
  });

  it('refuses bad paths and long contents with a reason', async () => {
    const paths = ['../other.md', '/etc/passwd', 'a/../../b.md', 'a\\b.md', 'folder/', 'bell\u0007.md'];
    const { run, ends } = await perform(runs, [
      ...paths.map((path) => ['write_memory', { path, content: 'x' }] as const),
      ['write_memory', { path: 'x'.repeat(600), content: 'x' }],
      ['write_memory', { content: 'x' }],
    ]);
    for (const { error } of ends) expect(error).toContain('path');
    const { body } = await runs.call(listAgentMemoryFiles, { params: { agent_id: run.agent_id } });
    expect(body.files).toEqual([]);
  });

  it('tells a run that it is full', async () => {
    const agentId = await agentWith(runs, [
      ...linesOf([
        ['write_memory', { path: 'one-more.md', content: 'x' }],
        ['write_memory', { path: 'old/1', content: 'x' }],
        ['list_memory'],
      ]),
      'finish done',
    ]);
    await runs.database.query(
      `INSERT INTO agents_and_revisions.memory_file (agent_id, path, team_id, content, size_bytes, updated_at)
       SELECT $1, 'old/' || n, $2, '', 0, now() FROM generate_series(1, 1000) AS n`,
      [agentId, runs.teamId],
    );
    const { id } = await runs.start(agentId);
    await runs.reach(id, 'completed');
    const [refused, written, listed] = await callEnds(runs, id);
    expect(refused!.error).toBe('An agent has at most 1000 memory files.');
    expect(written!.result).toEqual({ path: 'old/1', size_bytes: 1 });
    expect((listed!.result as { files: unknown[] }).files).toHaveLength(1_000);
  });

  it('can be switched off', async () => {
    const agentId = await agentWith(runs, [
      ...linesOf([
        ['write_memory', { path: 'a.md', content: 'x' }],
        ['read_memory', { path: 'a.md' }],
        ['list_memory'],
      ]),
      'finish done',
    ]);
    const params = { agent_id: agentId };
    const { status } = await runs.call(updateAgent, { params, body: { agentic_memory_enabled: false } });
    expect(status).toBe(200);
    const { id } = await runs.start(agentId);
    await runs.reach(id, 'completed');
    expect((await callEnds(runs, id)).map(({ error }) => error)).toEqual(
      Array(3).fill('Memory is disabled for this agent.'),
    );
  });
});
