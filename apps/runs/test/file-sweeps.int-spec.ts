import { deleteRun, listSandboxFiles, startRun } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { FileGarbageRepository, FileSweeps } from '../src/files/file-sweeps.js';
import { SandboxesRepository } from '../src/files/sandboxes.repository.js';
import { type RunsUnderTest, startRuns } from './runs-under-test.js';
import { SandboxFiles } from './sandbox-files.js';
import { perform } from './tools-under-test.js';

describe('bytes and sandboxes that nobody uses', () => {
  let runs: RunsUnderTest;
  let files: SandboxFiles;
  let sweeps: FileSweeps;
  let garbage: FileGarbageRepository;
  let sandboxes: SandboxesRepository;

  beforeAll(async () => {
    runs = await startRuns();
    files = new SandboxFiles(runs);
    const { app } = runs.running;
    sweeps = app.get(FileSweeps);
    garbage = app.get(FileGarbageRepository);
    sandboxes = app.get(SandboxesRepository);
  });

  afterAll(() => runs?.stop());

  const sweepAll = async () => {
    while (await sweeps.sweep());
  };
  const age = (column: 'due_at' | 'taken_at', hours = 3) =>
    runs.database.query(`UPDATE runs.file_garbage SET ${column} = ${column} - $1 * interval '1 hour'`, [
      hours,
    ]);
  const isStored = async (key: string) => (await files.store.size(key)) !== undefined;
  const noted = async (key: string) =>
    (await runs.database.query('SELECT 1 FROM runs.file_garbage WHERE key = $1', [key])).length;
  const keyOf = async (sandboxId: string, path: string) => (await sandboxes.find(sandboxId, path))!.key;

  it('are deleted after they were replaced or removed, and not at once', async () => {
    const id = await files.sandbox();
    const old = await files.put(id, 'a.txt', 'old');
    const present = await files.put(id, 'a.txt', 'new');
    await sweepAll();
    expect([await isStored(old), await isStored(present)]).toEqual([true, true]);
    await age('due_at');
    await sweepAll();
    // The loop of the service may have come first, and be in the middle of it.
    await eventually(async () => expect([await isStored(old), await noted(old)]).toEqual([false, 0]));
    expect(await files.text(present)).toBe('new');
  });

  it('are deleted when a run has written over them or deleted its file', async () => {
    const { run } = await perform(runs, [
      ['write_file', { path: 'a.txt', content: '1' }],
      ['write_file', { path: 'b.txt', content: '2' }],
    ]);
    const keys = [await keyOf(run.id, '/workspace/a.txt'), await keyOf(run.id, '/workspace/b.txt')];
    expect(await Promise.all(keys.map(noted))).toEqual([0, 0]);
    const body = { sandbox_id: run.id };
    await perform(
      runs,
      [
        ['write_file', { path: 'a.txt', content: 'anew' }],
        ['delete_file', { path: 'b.txt' }],
      ],
      { body },
    );
    await age('due_at');
    await sweepAll();
    await eventually(async () => expect(await Promise.all(keys.map(isStored))).toEqual([false, false]));
    expect(await files.text(await keyOf(run.id, '/workspace/a.txt'))).toBe('anew');
  });

  it('are deleted when an upload was not finished in time', async () => {
    const id = await files.sandbox();
    const staged = await files.stage(id, 'left behind');
    await sweepAll();
    expect(await isStored(staged.key)).toBe(true);
    await age('due_at', 1);
    await sweepAll();
    expect(await isStored(staged.key)).toBe(true);
    await age('due_at', 2);
    await sweepAll();
    await eventually(async () =>
      expect([await isStored(staged.key), await noted(staged.key)]).toEqual([false, 0]),
    );
    await expect(files.commit(id, 'late.txt', staged)).rejects.toMatchObject({ code: 'invalid_state' });
    const listed = await runs.call(listSandboxFiles, { params: { id } });
    expect(listed.body).toEqual({ files: [] });
  });

  it('become no file once somebody deletes them, and are left by nobody', async () => {
    const id = await files.sandbox();
    const staged = await files.stage(id, 'contested');
    await age('due_at');
    const taken: string[] = [];
    await eventually(async () => {
      taken.push(...(await garbage.take(100)));
      const [row] = await runs.database.query<{ taken: boolean }>(
        'SELECT taken_at IS NOT NULL AS taken FROM runs.file_garbage WHERE key = $1',
        [staged.key],
      );
      expect(row?.taken ?? true).toBe(true);
    });
    await expect(files.commit(id, 'a.txt', staged)).rejects.toMatchObject({ code: 'invalid_state' });
    expect(taken.filter((key) => key === staged.key).length).toBeLessThanOrEqual(1);
    // Whoever took it died: another follows.
    await age('taken_at');
    await sweepAll();
    await eventually(async () =>
      expect([await isStored(staged.key), await noted(staged.key)]).toEqual([false, 0]),
    );
  });

  it('stay if they were committed before anybody came', async () => {
    const id = await files.sandbox();
    const staged = await files.stage(id, 'in time');
    await files.commit(id, 'a.txt', staged);
    await age('due_at');
    await sweepAll();
    expect(await files.text(staged.key)).toBe('in time');
  });

  it('are gone a day later, unless a run uses the sandbox', async () => {
    const [unused, used] = [await files.sandbox(), await files.sandbox()];
    const [lost, kept] = [await files.put(unused, 'a.txt', 'lost'), await files.put(used, 'a.txt', 'kept')];
    await perform(runs, [['read_file', { path: 'a.txt' }]], { body: { sandbox_id: used } });
    await runs.database.query(
      `UPDATE runs.sandbox SET expires_at = now() - interval '1 second' WHERE id = ANY ($1)`,
      [[unused, used]],
    );
    expect((await runs.call(listSandboxFiles, { params: { id: unused } })).status).toBe(404);
    await sandboxes.removeExpired(100);
    await sweepAll();
    await eventually(async () => expect([await isStored(lost), await isStored(kept)]).toEqual([false, true]));
    const rows = await runs.database.query('SELECT id FROM runs.sandbox WHERE id = ANY ($1)', [
      [unused, used],
    ]);
    expect(rows).toEqual([{ id: used }]);
    expect(
      await runs.database.query('SELECT 1 FROM runs.sandbox_file WHERE sandbox_id = $1', [unused]),
    ).toEqual([]);

    const again = await perform(runs, [['read_file', { path: 'a.txt' }]], { body: { sandbox_id: used } });
    expect(again.ends[0]!.result).toBe('kept');
    const agentId = await runs.agent(['finish Done']);
    const refused = await runs.call(startRun, { body: { agent_id: agentId, sandbox_id: unused } });
    expect(refused.status).toBe(404);
  });

  it('are looked for once while runs use the sandbox, and gone with the last of these', async () => {
    const id = await files.sandbox();
    const key = await files.put(id, 'a.txt', 'kept');
    const body = { sandbox_id: id };
    const users = [
      await perform(runs, [['read_file', { path: 'a.txt' }]], { body }),
      await perform(runs, [['read_file', { path: 'a.txt' }]], { body }),
    ];
    const expire = () =>
      runs.database.query(`UPDATE runs.sandbox SET expires_at = now() WHERE id = $1`, [id]);
    const isDue = async () =>
      (await runs.database.query('SELECT 1 FROM runs.sandbox WHERE id = $1 AND expires_at <= now()', [id]))
        .length > 0;
    const remove = (index: number) => runs.call(deleteRun, { params: { run_id: users[index]!.run.id } });
    await expire();
    await sandboxes.removeExpired(100);
    await eventually(async () => expect(await isDue()).toBe(false));
    await remove(0);
    await sandboxes.removeExpired(100);
    await eventually(async () => expect(await isDue()).toBe(false));
    expect(await files.text(key)).toBe('kept');
    await remove(1);
    await sandboxes.removeExpired(100);
    await sweepAll();
    await eventually(async () => expect(await isStored(key)).toBe(false));
    expect((await runs.call(listSandboxFiles, { params: { id } })).status).toBe(404);
  });

  it('of a run stay when another that used them is deleted', async () => {
    const { run: owner } = await perform(runs, [['write_file', { path: 'a.txt', content: 'mine' }]]);
    const body = { sandbox_id: owner.id };
    const { run: guest } = await perform(runs, [['read_file', { path: 'a.txt' }]], { body });
    const key = await keyOf(owner.id, '/workspace/a.txt');
    await runs.call(deleteRun, { params: { run_id: guest.id } });
    await sandboxes.removeExpired(100);
    await sweepAll();
    expect(await files.text(key)).toBe('mine');
    expect((await runs.call(listSandboxFiles, { params: { id: owner.id } })).status).toBe(200);
  });

  it('of a deleted run stay while another uses them, and may be taken by a third', async () => {
    const { run: owner } = await perform(runs, [['write_file', { path: 'a.txt', content: 'shared' }]]);
    const body = { sandbox_id: owner.id };
    await perform(runs, [['read_file', { path: 'a.txt' }]], { body });
    await runs.call(deleteRun, { params: { run_id: owner.id } });
    await sandboxes.removeExpired(100);
    const { ends } = await perform(runs, [['read_file', { path: 'a.txt' }]], { body });
    expect(ends[0]!.result).toBe('shared');
    const [row] = await runs.database.query(
      `SELECT expires_at > now() + interval '23 hours' AS renewed FROM runs.sandbox WHERE id = $1`,
      [owner.id],
    );
    expect(row).toEqual({ renewed: true });
  });

  it('have a day more from the moment in which a run is started with them', async () => {
    const id = await files.sandbox();
    await runs.database.query(
      `UPDATE runs.sandbox SET expires_at = now() + interval '1 minute' WHERE id = $1`,
      [id],
    );
    await runs.start(await runs.agent(['finish Done']), { sandbox_id: id });
    const [row] = await runs.database.query(
      `SELECT expires_at > now() + interval '23 hours' AS renewed FROM runs.sandbox WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ renewed: true });
    const foreign = await runs.call(startRun, {
      teamId: uuidv7(),
      body: { agent_id: await runs.agent(['finish Done']), sandbox_id: id },
    });
    expect(foreign.status).toBe(404);
  });
});
