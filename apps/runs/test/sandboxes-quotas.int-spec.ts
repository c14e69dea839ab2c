import {
  createSandbox,
  listSandboxFiles,
  maxSandboxesOfTeam,
  uploadSandboxFile,
  type SandboxFile,
} from '@aos/contracts';
import { RunLost } from '../src/run-core/claims/lease.js';
import { RunFileCommits } from '../src/files/run-file-commits.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';
import { SandboxFiles } from './sandbox-files.js';
import { perform } from './tools-under-test.js';

const maxBytes = 1_000;
const maxFiles = 5;

describe('what a sandbox may hold', () => {
  let runs: RunsUnderTest;
  let files: SandboxFiles;

  beforeAll(async () => {
    runs = await startRuns({
      environment: { SANDBOX_MAX_BYTES: String(maxBytes), SANDBOX_MAX_FILES: String(maxFiles) },
    });
    files = new SandboxFiles(runs);
  });

  afterAll(() => runs?.stop());

  /** Its own count, and what is really there. */
  async function held(sandboxId: string) {
    const [row] = await runs.database.query<{ files: number; bytes: number }>(
      'SELECT files, bytes::int FROM runs.sandbox WHERE id = $1',
      [sandboxId],
    );
    const { body } = await runs.call(listSandboxFiles, { params: { id: sandboxId } });
    const sizes = body.files.map(({ size_bytes: size }: SandboxFile) => size);
    return {
      counted: row,
      there: { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) },
    };
  }

  /** How many of the files, all sent at once, were taken; the others must be refused for the limit. */
  async function taken(sandboxId: string, contents: readonly string[]): Promise<number> {
    const tries = await Promise.allSettled(
      contents.map((content, index) => files.put(sandboxId, `${index}.txt`, content)),
    );
    const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    for (const reason of refused) expect(reason).toMatchObject({ code: 'limit_reached' });
    return tries.length - refused.length;
  }

  it('is counted in files, exactly, also when many come at once', async () => {
    const id = await files.sandbox();
    expect(await taken(id, Array<string>(12).fill('x'))).toBe(maxFiles);
    expect(await held(id)).toEqual({ counted: { files: 5, bytes: 5 }, there: { files: 5, bytes: 5 } });
    const { body } = await runs.call(listSandboxFiles, { params: { id } });
    const [first] = body.files as SandboxFile[];
    await files.put(id, first!.path, 'longer');
    expect((await held(id)).counted).toEqual({ files: 5, bytes: 10 });
  });

  it('is counted in bytes, exactly, also when many come at once', async () => {
    const id = await files.sandbox();
    expect(await taken(id, Array<string>(5).fill('y'.repeat(300)))).toBe(3);
    expect(await held(id)).toEqual({ counted: { files: 3, bytes: 900 }, there: { files: 3, bytes: 900 } });
    await files.put(id, 'rest.txt', 'z'.repeat(100));
    await expect(files.put(id, 'more.txt', '!')).rejects.toMatchObject({ code: 'limit_reached' });
    await files.put(id, 'empty.txt', '');
    const upload = await files.stage(id, 'z'.repeat(101));
    const larger = await runs.call(uploadSandboxFile, { params: { id }, body: { path: 'rest.txt' }, upload });
    expect([larger.status, larger.body.error]).toEqual([409, 'limit_reached']);
    await files.put(id, 'rest.txt', 'z');
    await files.put(id, 'empty.txt', 'z'.repeat(99));
    expect((await held(id)).counted).toEqual({ files: 5, bytes: 1000 });
  });

  it('is told to agents, and what they delete makes room', async () => {
    const many = Array.from({ length: maxFiles }, (_, n) => {
      return ['write_file', { path: `${n}.txt`, content: 'x' }] as const;
    });
    const { run, ends } = await perform(runs, [
      ...many,
      ['write_file', { path: 'one-more.txt', content: 'x' }],
      ['delete_file', { path: '0.txt' }],
      ['write_file', { path: 'one-more.txt', content: 'x' }],
      ['write_file', { path: 'one-more.txt', content: 'x'.repeat(maxBytes) }],
      ['run_code', { code: `await files.write('1.txt', 'x'.repeat(${maxBytes}))` }],
    ]);
    expect(ends.slice(maxFiles).map(({ error }) => error)).toEqual([
      `A sandbox has at most ${maxFiles} files.`,
      undefined,
      undefined,
      `The files of a sandbox have at most ${maxBytes} bytes in total.`,
      expect.stringContaining(`at most ${maxBytes} bytes`),
    ]);
    expect(await held(run.id)).toEqual({ counted: { files: 5, bytes: 5 }, there: { files: 5, bytes: 5 } });
  });
});

describe('files that runs write together', () => {
  let runs: RunsUnderTest;
  let files: SandboxFiles;

  beforeAll(async () => {
    runs = await startRuns({ environment: { SANDBOX_MAX_FILES: String(maxFiles) } });
    files = new SandboxFiles(runs);
  });

  afterAll(() => runs?.stop());

  const told = (sandboxId: string) =>
    runs.database.query<{ path: string }>(
      `SELECT data->>'path' AS path FROM runs.logged_event JOIN runs.run ON run.id = logged_event.run_id
        WHERE run.sandbox_id = $1 AND event = 'run.file.created'`,
      [sandboxId],
    );
  const counted = async (sandboxId: string) => {
    const [row] = await runs.database.query(
      `SELECT files, bytes::int, (SELECT count(*)::int FROM runs.sandbox_file WHERE sandbox_id = id) AS there
         FROM runs.sandbox WHERE id = $1`,
      [sandboxId],
    );
    return row;
  };
  /** A run that is inside a call, and what its worker would write. */
  const writeOf = async (path: string, sandboxId?: string) => {
    const agentId = await runs.agent(['wait 600000', 'finish Done']);
    const { id: runId } = await runs.start(agentId, { sandbox_id: sandboxId });
    const [row] = await runs.database.query<{ sandbox_id: string }>(
      `UPDATE runs.run SET status = 'running', lease_token = $2, lease_until = now() + interval '1 hour'
        WHERE id = $1 RETURNING sandbox_id`,
      [runId, runId],
    );
    const staged = await files.stage(row!.sandbox_id, 'bytes');
    return { runId, token: runId, teamId: runs.teamId, sandboxId: row!.sandbox_id, path, ...staged };
  };

  it('are as many as the sandbox may have, exactly, and each is told of', async () => {
    const id = await files.sandbox();
    const performed = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        perform(runs, [['write_file', { path: `${n}.txt`, content: 'xy' }]], { body: { sandbox_id: id } }),
      ),
    );
    const errors = performed.flatMap(({ ends }) => ends[0]!.error ?? []);
    expect(errors).toEqual(Array<string>(12 - maxFiles).fill(`A sandbox has at most ${maxFiles} files.`));
    expect(await counted(id)).toEqual({ files: maxFiles, bytes: 2 * maxFiles, there: maxFiles });
    expect(await told(id)).toHaveLength(maxFiles);
  });

  it('are each refused alone: where a run was lost, in the way, or swept already', async () => {
    const commits = runs.running.app.get(RunFileCommits);
    const shared = await files.sandbox();
    const [good, lost, swept, first, below] = await Promise.all([
      writeOf('/workspace/good.txt'),
      writeOf('/workspace/lost.txt'),
      writeOf('/workspace/swept.txt'),
      writeOf('/workspace/a', shared),
      writeOf('/workspace/a/b', shared),
    ]);
    await runs.database.query('DELETE FROM runs.file_garbage WHERE key = $1', [swept.key]);
    const settled = await Promise.allSettled([
      commits.commit(good),
      commits.commit({ ...lost, token: good.token }),
      commits.commit(swept),
      commits.commit(first),
      commits.commit(below),
    ]);
    expect(settled).toEqual([
      { status: 'fulfilled', value: expect.objectContaining({ path: good.path, key: good.key }) },
      { status: 'rejected', reason: expect.any(RunLost) },
      { status: 'rejected', reason: expect.objectContaining({ code: 'invalid_state' }) },
      { status: 'fulfilled', value: expect.objectContaining({ path: first.path }) },
      { status: 'rejected', reason: expect.objectContaining({ code: 'already_exists' }) },
    ]);
    expect(await told(good.sandboxId)).toEqual([{ path: good.path }]);
    expect(await told(lost.sandboxId)).toEqual([]);
    expect(await counted(lost.sandboxId)).toBeUndefined();
    expect(await counted(shared)).toEqual({ files: 1, bytes: 5, there: 1 });
  });

  it('are written and removed only in the sandbox of the run, by whoever has it', async () => {
    const commits = runs.running.app.get(RunFileCommits);
    const write = await writeOf('/workspace/a.txt');
    const other = await files.sandbox();
    await files.put(other, 'a.txt', 'theirs');
    const foreign = { ...write, sandboxId: other };
    await expect(commits.commit(foreign)).rejects.toThrow(RunLost);
    await expect(commits.remove(foreign)).rejects.toThrow(RunLost);
    expect(await counted(other)).toEqual({ files: 1, bytes: 6, there: 1 });

    await commits.commit(write);
    await expect(commits.remove({ ...write, token: other })).rejects.toThrow(RunLost);
    expect(await counted(write.sandboxId)).toEqual({ files: 1, bytes: 5, there: 1 });
    expect([await commits.remove(write), await commits.remove(write)]).toEqual([true, false]);
    expect(await counted(write.sandboxId)).toEqual({ files: 0, bytes: 0, there: 0 });
  });
});

describe('the sandboxes of a team', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  it('are limited, exactly, also when many are made at once; those that have expired do not count', async () => {
    const free = 5;
    await runs.database.query(
      `INSERT INTO runs.sandbox (id, team_id, files, bytes, created_at, expires_at)
       SELECT gen_random_uuid(), $1, 0, 0, now(), now() + interval '1 hour' FROM generate_series(1, $2)`,
      [runs.teamId, maxSandboxesOfTeam - free],
    );
    const answers = await Promise.all(Array.from({ length: 3 * free }, () => runs.call(createSandbox)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
      Array.from({ length: 2 * free }, () => [409, 'limit_reached']),
    );

    await runs.database.query(
      `UPDATE runs.sandbox SET expires_at = now() - interval '1 second' WHERE id IN (
         SELECT id FROM runs.sandbox WHERE team_id = $1 LIMIT 1)`,
      [runs.teamId],
    );
    expect((await runs.call(createSandbox)).status).toBe(201);
    expect((await runs.call(createSandbox)).status).toBe(409);
  });
});
