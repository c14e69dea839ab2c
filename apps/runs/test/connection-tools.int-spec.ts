import { buffer } from 'node:stream/consumers';
import { getWorkflowExecutionReport, stopRun } from '@aos/contracts';
import { Files, type FileStore } from '@aos/file-store';
import { eventually } from '@aos/testing';
import {
  connect,
  startConnectedRuns,
  startEverythingServer,
  type ConnectedRuns,
  type EverythingServer,
} from './connected-runs.js';
import { agentWith, linesOf, perform, type Call } from './tools-under-test.js';

interface KeptFile {
  readonly type: string;
  readonly mime_type: string;
  readonly path: string;
  readonly size_bytes: number;
  readonly uri?: string;
  readonly text?: string;
}

describe('a run with the tools of an MCP server', () => {
  let runs: ConnectedRuns;
  let everything: EverythingServer;
  let id: string;

  beforeAll(async () => {
    [runs, everything] = await Promise.all([startConnectedRuns(), startEverythingServer()]);
    id = await connect(runs, everything.url, { name: 'Everything, at home' });
  });

  afterAll(async () => {
    await runs?.stop();
    await everything?.stop();
  });

  const named = (tool: string) => `everything_at_home__${tool}`;
  const use = (...calls: Call[]) =>
    perform(
      runs,
      calls.map(([tool, args]) => [named(tool), args]),
      { connections: [id] },
    );

  it('calls them by their names, and is told what they say', async () => {
    const { ends } = await use(['echo', { message: 'hello' }], ['get-sum', { a: 2, b: 3 }]);
    expect(ends).toEqual([
      { name: named('echo'), result: 'Echo: hello' },
      { name: named('get-sum'), result: expect.stringContaining('5') },
    ]);
  });

  it('keeps structured content', async () => {
    const { ends } = await use(['get-structured-content', { location: 'Chicago' }]);
    expect(ends[0]!.result).toEqual({
      structured_content: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
    });
  });

  it('has pictures and resources in its sandbox, and is told where', async () => {
    const { run, ends } = await use(
      ['get-tiny-image'],
      ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
      ['get-resource-reference', { resourceType: 'Blob', resourceId: 2 }],
    );
    const kept = ends.map(({ result }) => (result as { files: KeptFile[] }).files[0]!);
    expect(kept).toMatchObject([
      { type: 'image', mime_type: 'image/png', path: expect.stringMatching(/\.png$/) },
      {
        type: 'resource',
        uri: 'demo://resource/dynamic/text/1',
        text: expect.stringContaining('Resource 1'),
      },
      { type: 'resource', uri: 'demo://resource/dynamic/blob/2' },
    ]);
    const stored = await runs.database.query<{ path: string; size_bytes: number; key: string }>(
      'SELECT path, size_bytes::int, key FROM runs.sandbox_file WHERE sandbox_id = $1 ORDER BY updated_at, path',
      [run.sandbox_id],
    );
    expect(stored).toMatchObject(kept.map(({ path, size_bytes }) => ({ path, size_bytes })));
    for (const { path } of kept) expect(path).toMatch(/^\/workspace\/connections\/everything_at_home\//);
    const { stream } = await runs.running.app.get<FileStore>(Files).read(stored[0]!.key);
    expect((await buffer(stream)).subarray(1, 4).toString()).toBe('PNG');
    expect((await runs.events(run.id)).filter((event) => event === 'run.file.created')).toHaveLength(3);
  });

  it('is given links as they are', async () => {
    const { ends } = await use(['get-resource-links', { count: 2 }]);
    expect((ends[0]!.result as { links: object[] }).links).toMatchObject([
      { uri: expect.stringContaining('demo://'), name: expect.any(String) },
      { uri: expect.stringContaining('demo://') },
    ]);
  });

  it('is told of a mistake, and goes on', async () => {
    const { ends } = await use(
      ['get-structured-content', { location: 'Atlantis' }],
      ['nothing'],
      ['echo', {}],
    );
    expect(ends.map(({ error }) => error)).toEqual([
      expect.stringContaining('location'),
      expect.stringContaining(`There is no tool named ${named('nothing')}`),
      expect.stringContaining('message'),
    ]);
    expect(ends[1]!.error).toContain(named('get-sum'));
    // It can be called as a task only.
    expect(ends[1]!.error).not.toContain(named('simulate-research-query'));
  });

  it('has names of its own for each tool, where two connections have the same', async () => {
    const other = await connect(runs, everything.url, { name: 'everything at home' });
    const { ends } = await perform(
      runs,
      [
        [named('echo'), { message: 'one' }],
        [named('echo_2'), { message: 'two' }],
      ],
      { connections: [id, other, id] },
    );
    expect(ends.map(({ result }) => result)).toEqual(['Echo: one', 'Echo: two']);
  });

  it('is stopped in the middle of a call', async () => {
    const steps = [
      ...linesOf([[named('trigger-long-running-operation'), { duration: 60, steps: 60 }]]),
      'finish x',
    ];
    const agentId = await agentWith(runs, steps, { connections: [id] });
    const { id: runId } = await runs.start(agentId);
    const report = async () =>
      (await runs.call(getWorkflowExecutionReport, { params: { agentId, runId } })).body.steps.at(-1);
    await eventually(async () => expect(await report()).toMatchObject({ kind: 'tool', status: 'running' }));
    await runs.call(stopRun, { params: { run_id: runId } });
    expect((await runs.show(runId)).run.status).toBe('stopped');
    expect(await report()).toMatchObject({ kind: 'tool', status: 'cancelled' });
  });
});
