import { getAgentRun, listRunSandboxFiles, listRunSandboxFilesByRun, type SandboxFile } from '@aos/contracts';
import { uuidv7 } from 'uuidv7';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';
import { badPaths } from './sandbox-files.js';
import { perform, type Call } from './tools-under-test.js';

describe('the files of a run', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  const filesTold = (runId: string) =>
    runs.database.query<{ data: object }>(
      `SELECT data FROM runs.logged_event WHERE run_id = $1 AND event = 'run.file.created' ORDER BY run_seq`,
      [runId],
    );

  it('are written, read, listed and deleted', async () => {
    const { ends } = await perform(runs, [
      ['write_file', { path: 'notes/a.txt', content: 'Grüße' }],
      ['read_file', { path: '/workspace/notes/./a.txt' }],
      ['write_file', { path: 'notes/a.txt', content: 'short' }],
      ['read_file', { path: 'notes/a.txt' }],
      ['list_files'],
      ['list_files', { path: 'notes' }],
      ['delete_file', { path: 'notes/a.txt' }],
      ['delete_file', { path: 'notes/a.txt' }],
      ['read_file', { path: 'notes/a.txt' }],
      ['list_files'],
      ['list_files', { path: 'notes' }],
    ]);
    const time = expect.stringMatching(/Z$/);
    const folder = { name: 'notes', path: '/workspace/notes', type: 'dir', size_bytes: 5, updated_at: time };
    const file = {
      name: 'a.txt',
      path: '/workspace/notes/a.txt',
      type: 'file',
      size_bytes: 5,
      updated_at: time,
    };
    expect(ends.map(({ result, error }) => error ?? result)).toEqual([
      { path: '/workspace/notes/a.txt', size_bytes: 7 },
      'Grüße',
      { path: '/workspace/notes/a.txt', size_bytes: 5 },
      'short',
      { files: [folder] },
      { files: [file] },
      { path: 'notes/a.txt', deleted: true },
      { path: 'notes/a.txt', deleted: false },
      'There is nothing at notes/a.txt.',
      { files: [] },
      'There is nothing at notes.',
    ]);
  });

  it('are told of when their path is new, and counted', async () => {
    const { run } = await perform(runs, [
      ['write_file', { path: 'a.txt', content: '1' }],
      ['write_file', { path: 'a.txt', content: '22' }],
      ['write_file', { path: 'b/c.txt', content: '333' }],
      ['write_file', { path: '/workspace/b/../a.txt', content: '4444' }],
    ]);
    expect(await filesTold(run.id)).toEqual([
      { data: { run_id: run.id, path: '/workspace/a.txt', size_bytes: 1 } },
      { data: { run_id: run.id, path: '/workspace/b/c.txt', size_bytes: 3 } },
    ]);
    const params = { agentId: run.agent_id, runId: run.id };
    expect((await runs.call(getAgentRun, { params })).body.files_total).toBe(2);
    const events = await runs.events(run.id);
    expect(events.indexOf('run.file.created')).toBeLessThan(events.indexOf('run.tool_call.completed'));
  });

  it('are listed for whoever may see the run', async () => {
    const { run } = await perform(runs, [['write_file', { path: 'out/report.md', content: '# Hi' }]]);
    const other = await perform(runs, [['list_files']]);
    const ofRun = { run_id: run.id };
    const ofAgent = { ...ofRun, agent_id: run.agent_id };
    const inFolder = { path: '/workspace/out' };
    const listed = await runs.call(listRunSandboxFilesByRun, { params: ofRun, query: inFolder });
    expect(listed.status).toBe(200);
    expect(listed.body.files.map(({ path, size_bytes: size }: SandboxFile) => [path, size])).toEqual([
      ['/workspace/out/report.md', 4],
    ]);
    const alias = await runs.call(listRunSandboxFiles, { params: ofAgent, query: inFolder });
    expect(alias.body).toEqual(listed.body);
    const ofFile = { path: 'out/report.md' };
    expect((await runs.call(listRunSandboxFilesByRun, { params: ofRun, query: ofFile })).body).toEqual(
      listed.body,
    );

    const refused = [
      await runs.call(listRunSandboxFiles, { params: { ...ofRun, agent_id: other.run.agent_id } }),
      await runs.call(listRunSandboxFiles, { params: ofAgent, teamId: uuidv7() }),
      await runs.call(listRunSandboxFilesByRun, { params: ofRun, teamId: uuidv7() }),
      await runs.call(listRunSandboxFilesByRun, { params: { run_id: uuidv7() } }),
      await runs.call(listRunSandboxFilesByRun, { params: ofRun, query: { path: 'nowhere' } }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
      refused.map(() => [404, 'not_found']),
    );
    const own = await runs.call(listRunSandboxFilesByRun, { params: { run_id: other.run.id } });
    expect(own.body).toEqual({ files: [] });
  });

  it('cannot be outside the sandbox, whatever tool is used', async () => {
    const calls = badPaths.flatMap((path): Call[] => [
      ['read_file', { path }],
      ['write_file', { path, content: 'x' }],
      ['list_files', { path }],
      ['delete_file', { path }],
    ]);
    const { run, ends } = await perform(runs, [...calls, ['list_files']]);
    for (const [index, { error }] of ends.slice(0, -1).entries()) {
      expect([calls[index], error]).toEqual([calls[index], expect.stringContaining('path')]);
    }
    expect(ends.at(-1)!.result).toEqual({ files: [] });
    expect(await filesTold(run.id)).toEqual([]);
  });

  it('are not folders, nor folders files', async () => {
    const { ends } = await perform(runs, [
      ['write_file', { path: 'a', content: 'file' }],
      ['write_file', { path: 'a/b', content: 'below a file' }],
      ['write_file', { path: 'c/d', content: 'file' }],
      ['write_file', { path: 'c', content: 'where a folder is' }],
      ['write_file', { path: '/workspace', content: 'the sandbox itself' }],
      ['read_file', { path: 'c' }],
      ['delete_file', { path: 'c' }],
      ['write_file', { path: 'c0', content: 'sorts behind the folder' }],
      ['list_files', { path: 'c' }],
    ]);
    expect(ends.map(({ error }) => error)).toEqual([
      undefined,
      '/workspace/a/b cannot be, since /workspace/a is a file.',
      undefined,
      '/workspace/c is a folder.',
      expect.stringContaining('path'),
      'There is nothing at c.',
      undefined,
      undefined,
      undefined,
    ]);
    expect(ends[6]!.result).toEqual({ path: 'c', deleted: false });
    const listed = ends.at(-1)!.result as { files: SandboxFile[] };
    expect(listed.files.map(({ name }) => name)).toEqual(['d']);
  });

  it('are shown in part where they are long, and not at all where they are no text', async () => {
    const { ends } = await perform(runs, [
      ['run_code', { code: `await files.write('odd.txt', 'x' + 'ä'.repeat(200000))` }],
      ['read_file', { path: 'odd.txt' }],
      ['run_code', { code: `await files.write('zero.bin', 'a\\0b')` }],
      ['read_file', { path: 'zero.bin' }],
      ['write_file', { path: 'empty.txt', content: '' }],
      ['read_file', { path: 'empty.txt' }],
    ]);
    const text = ends[1]!.result as string;
    expect(text.startsWith('xää')).toBe(true);
    expect(text.endsWith('ä\n[cut: the file has 400001 bytes]')).toBe(true);
    expect(text).not.toContain('\uFFFD');
    expect(ends[3]!.error).toContain('is not a text file: it has 3 bytes');
    expect(ends[5]!.result).toBe('');
  });
});
