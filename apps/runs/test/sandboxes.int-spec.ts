import {
  createSandbox,
  createSandboxUploadUrl,
  findFile,
  listSandboxFiles,
  maxFileBytes,
  stageFile,
  startRun,
  uploadSandboxFile,
  type SandboxFile,
} from '@aos/contracts';
import { FileLinks } from '@aos/file-store';
import { ServiceClient } from '@aos/messaging';
import { uuidv7 } from 'uuidv7';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';
import { badPaths, SandboxFiles } from './sandbox-files.js';
import { perform } from './tools-under-test.js';

describe('sandboxes', () => {
  let runs: RunsUnderTest;
  let files: SandboxFiles;
  let services: ServiceClient;

  beforeAll(async () => {
    runs = await startRuns({ environment: { PUBLIC_BASE_URL: 'https://files.example/' } });
    files = new SandboxFiles(runs);
    services = runs.running.app.get(ServiceClient);
  });

  afterAll(() => runs?.stop());

  const list = (id: string, path?: string) =>
    runs.call(listSandboxFiles, { params: { id }, query: path === undefined ? {} : { path } });

  it('live for a day unless a run uses them', async () => {
    const { status, body } = await runs.call(createSandbox);
    expect([status, body]).toEqual([
      201,
      { sandbox_id: expect.any(String), expires_at: expect.stringMatching(/Z$/) },
    ]);
    const [row] = await runs.database.query<{ lives: string; expires_at: Date }>(
      `SELECT extract(epoch FROM expires_at - created_at)::int AS lives, expires_at FROM runs.sandbox WHERE id = $1`,
      [body.sandbox_id],
    );
    expect(row).toEqual({ lives: 24 * 3600, expires_at: new Date(body.expires_at) });
    expect((await list(body.sandbox_id)).body).toEqual({ files: [] });
  });

  it('are shared by the runs that are started with them', async () => {
    const sandboxId = await files.sandbox();
    await files.put(sandboxId, 'in/order.txt', 'two apples');
    const body = { sandbox_id: sandboxId };
    const first = await perform(
      runs,
      [
        ['read_file', { path: 'in/order.txt' }],
        ['write_file', { path: 'out/bill.txt', content: 'two euros' }],
      ],
      { body },
    );
    expect(first.run.sandbox_id).toBe(sandboxId);
    expect(first.ends[0]!.result).toBe('two apples');
    const second = await perform(runs, [['read_file', { path: 'out/bill.txt' }]], { body });
    expect(second.ends[0]!.result).toBe('two euros');
    const { body: root } = await list(sandboxId);
    expect(root.files.map(({ path, type, size_bytes: size }: SandboxFile) => [path, type, size])).toEqual([
      ['/workspace/in', 'dir', 10],
      ['/workspace/out', 'dir', 9],
    ]);
    const own = await perform(runs, [['list_files']]);
    expect([own.run.sandbox_id, own.ends[0]!.result]).toEqual([own.run.id, { files: [] }]);
  });

  it('are not found when they are unknown, another team’s or expired', async () => {
    const agentId = await runs.agent(['finish Done']);
    const expired = await files.sandbox();
    await runs.database.query(
      `UPDATE runs.sandbox SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [expired],
    );
    const foreign = (await runs.call(createSandbox, { teamId: uuidv7() })).body.sandbox_id;
    for (const sandboxId of [expired, foreign, uuidv7()]) {
      const params = { id: sandboxId };
      const upload = { key: `sandboxes/${sandboxId}/${uuidv7()}`, size_bytes: 1, sha256: 'aa' };
      const answers = [
        await runs.call(startRun, { body: { agent_id: agentId, sandbox_id: sandboxId } }),
        await list(sandboxId),
        await runs.call(createSandboxUploadUrl, { params, body: { path: 'a.txt' } }),
        await runs.call(uploadSandboxFile, { params, body: { path: 'a.txt' }, upload }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      const ours = { team_id: runs.teamId, sandbox_id: sandboxId };
      await expect(services.call(stageFile, ours)).rejects.toMatchObject({ code: 'not_found' });
      await expect(files.commit(sandboxId, 'a.txt', upload)).rejects.toMatchObject({ code: 'not_found' });
      const wanted = { team_id: runs.teamId, of: { sandbox_id: sandboxId } };
      await expect(services.call(findFile, wanted)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('give addresses to which one file can be sent', async () => {
    const id = await files.sandbox();
    const { status, body } = await runs.call(createSandboxUploadUrl, {
      params: { id },
      body: { path: 'in/./data.csv' },
    });
    expect([status, body]).toEqual([
      200,
      {
        upload_url: expect.stringMatching(/^https:\/\/files\.example\/v2\/uploads\/[\w.-]+$/),
        path: '/workspace/in/data.csv',
        expires_in_seconds: 3600,
      },
    ]);
    const links = runs.running.app.get(FileLinks);
    const token = body.upload_url.slice(body.upload_url.lastIndexOf('/') + 1);
    const claims = {
      teamId: runs.teamId,
      sandboxId: id,
      path: '/workspace/in/data.csv',
      credentialId: expect.any(String) as string,
    };
    expect(links.open('upload', token)).toEqual(claims);
    expect(links.open('download', token)).toBeUndefined();
  });

  it('take files of forms, once for a key', async () => {
    const id = await files.sandbox();
    const upload = { ...(await files.stage(id, 'name,age')), name: 'people.csv' };
    const request = { params: { id }, body: {}, upload, key: uuidv7() };
    const first = await runs.call(uploadSandboxFile, request);
    const file = { name: 'people.csv', path: '/workspace/people.csv', type: 'file', size_bytes: 8 };
    expect([first.status, first.body]).toEqual([
      201,
      { path: file.path, size_bytes: 8, file: { ...file, updated_at: expect.any(String) } },
    ]);
    // The gateway stores the bytes again before it knows that the request is a repeated one.
    const again = { ...(await files.stage(id, 'name,age')), name: 'people.csv' };
    const replay = await runs.call(uploadSandboxFile, { ...request, upload: again });
    expect([replay.replayed, replay.text]).toEqual([true, first.text]);
    const other = { ...(await files.stage(id, 'else')), name: 'people.csv' };
    expect((await runs.call(uploadSandboxFile, { ...request, upload: other })).body.error).toBe(
      'idempotency_conflict',
    );
    const found = await services.call(findFile, { team_id: runs.teamId, of: { sandbox_id: id } });
    expect(found).toMatchObject({ key: upload.key, content_type: 'text/csv' });

    const named = await files.stage(id, 'x');
    const params = { id };
    const answers = [
      await runs.call(uploadSandboxFile, { params, body: { path: 'in/x.txt' }, upload: named }),
      await runs.call(uploadSandboxFile, { params, body: { path: 'in/y.txt' } }),
      await runs.call(uploadSandboxFile, { params, body: {}, upload: await files.stage(id, 'y') }),
    ];
    expect(answers.map(({ status, body }) => [status, body.message ?? body.path])).toEqual([
      [201, '/workspace/in/x.txt'],
      [400, expect.stringContaining('file')],
      [400, expect.stringContaining('path')],
    ]);
  });

  it('tell where the bytes of a file are, also of the one that was changed last', async () => {
    const { run } = await perform(runs, [
      ['write_file', { path: 'a.txt', content: 'first' }],
      ['write_file', { path: 'b.json', content: '{}' }],
      ['write_file', { path: 'a.txt', content: 'last' }],
    ]);
    const ofAgent = { run_id: run.id, agent_id: run.agent_id };
    const find = (of: object, path?: string, teamId = runs.teamId) =>
      services.call(findFile, { team_id: teamId, of: of as { run_id: string }, path });
    const latest = await find({ run_id: run.id });
    expect(latest).toMatchObject({ sandbox_id: run.id, path: '/workspace/a.txt', size_bytes: 4 });
    expect(await files.text(latest.key)).toBe('last');
    expect(await find(ofAgent)).toEqual(latest);
    expect(await find({ sandbox_id: run.id })).toEqual(latest);
    expect(await find(ofAgent, 'b.json')).toMatchObject({ content_type: 'application/json', size_bytes: 2 });
    const refused: Promise<unknown>[] = [
      find(ofAgent, 'c.txt'),
      find({ ...ofAgent, agent_id: uuidv7() }),
      find({ run_id: run.id }, 'a.txt', uuidv7()),
      find({ sandbox_id: run.id }, 'a.txt', uuidv7()),
      find({ sandbox_id: await files.sandbox() }),
    ];
    for (const result of refused) await expect(result).rejects.toMatchObject({ code: 'not_found' });
  });

  it('take bytes once, and only those that were stored for them', async () => {
    const [id, other] = [await files.sandbox(), await files.sandbox()];
    const staged = await files.stage(id, 'once');
    await expect(files.commit(other, 'a.txt', staged)).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await files.commit(id, 'a.txt', staged)).toMatchObject({
      path: '/workspace/a.txt',
      size_bytes: 4,
    });
    await expect(files.commit(id, 'b.txt', staged)).rejects.toMatchObject({ code: 'invalid_state' });
    const strange = { ...staged, key: `sandboxes/${id}/${uuidv7()}` };
    await expect(files.commit(id, 'b.txt', strange)).rejects.toMatchObject({ code: 'invalid_state' });
    expect((await list(id)).body.files).toHaveLength(1);
    expect((await list(other)).body.files).toHaveLength(0);
  });

  it('take no file that is too large, whatever it replaces', async () => {
    const id = await files.sandbox();
    await files.put(id, 'a.txt', 'x'.repeat(20));
    const staged = { ...(await files.stage(id, 'y')), size_bytes: maxFileBytes + 1 };
    await expect(files.commit(id, 'a.txt', staged)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect((await list(id)).body.files).toMatchObject([{ size_bytes: 20 }]);
  });

  it('have no file where a folder is, nor the other way round', async () => {
    const id = await files.sandbox();
    await files.put(id, 'a/b.txt', '1');
    await expect(files.put(id, 'a', '2')).rejects.toMatchObject({ code: 'already_exists' });
    await expect(files.put(id, 'a/b.txt/c', '3')).rejects.toMatchObject({ code: 'already_exists' });
    const upload = await files.stage(id, '4');
    const answer = await runs.call(uploadSandboxFile, { params: { id }, body: { path: 'a' }, upload });
    expect([answer.status, answer.body.error]).toEqual([409, 'already_exists']);
    await files.put(id, 'a/b.txt', 'five');
    expect((await list(id, 'a')).body.files).toMatchObject([{ name: 'b.txt', size_bytes: 4 }]);
  });

  it.each([...badPaths, 'nul\0.txt', 'a'.repeat(5_000)])('refuse the path %j everywhere', async (path) => {
    const id = await files.sandbox();
    const upload = await files.stage(id, 'x');
    const answers = [
      await list(id, path),
      await runs.call(createSandboxUploadUrl, { params: { id }, body: { path } }),
      await runs.call(uploadSandboxFile, { params: { id }, body: { path }, upload }),
      await runs.call(uploadSandboxFile, { params: { id }, body: {}, upload: { ...upload, name: path } }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error, body.message]).toEqual([
        400,
        'invalid_request',
        expect.stringContaining('path'),
      ]);
    }
    const wanted = { team_id: runs.teamId, of: { sandbox_id: id }, path };
    await expect(services.call(findFile, wanted)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(files.commit(id, path, upload)).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await list(id)).body.files).toEqual([]);
  });
});
