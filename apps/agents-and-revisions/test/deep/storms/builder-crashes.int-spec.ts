import { resumeBuilderRun } from '@aos/contracts';
import { eventually, ofStorm, startModelServer, type ModelServer, type ServiceProcess } from '@aos/testing';
import { holdWrite, keepJournal, statesOf, type HeldWrite } from '../../builder-journal.js';
import { BuilderUnderTest } from '../../builder-under-test.js';

const procedure = '# Mails\n\nAnswer them.';
const proposes = {
  kind: 'turn',
  toolCalls: [{ name: 'propose_procedure', arguments: { procedure } }],
} as const;
const asks = {
  kind: 'turn',
  toolCalls: [{ name: 'ask_questions', arguments: { questions: [{ question: 'How often?' }] } }],
} as const;

const path = ['running reading', 'running drafting', 'running checking', 'awaiting_review done'];

describe('a builder run whose worker is killed', () => {
  let server: ModelServer;
  let builders: BuilderUnderTest;
  let victim: ServiceProcess;
  let write: HeldWrite | undefined;

  beforeAll(async () => {
    server = await startModelServer();
    builders = await BuilderUnderTest.prepare({
      COMPATIBLE_BASE_URL: server.openAiUrl,
      BUILDER_LEASE_MS: '1000',
      JOB_LOCK_MS: '1000',
    });
    await keepJournal(builders.database);
    victim = await builders.startProcess();
  });

  afterAll(async () => {
    await builders?.stop();
    await server?.close();
  });

  // A test that fails half-way must not stand in the way of the next.
  afterEach(() => write?.land());

  const start = async () => {
    const { buildId } = await builders.makeAgent({ models: { agent: { model: 'compatible/stand-in' } } });
    return builders.generate(buildId);
  };
  /** The other one is the victim of the next test. */
  const killAndReplace = async () => {
    const next = await builders.startProcess();
    victim.signal('SIGKILL');
    await victim.exited;
    victim = next;
  };
  const endsWell = async (id: string, expected: readonly string[] = path) => {
    const run = await builders.until(id, 'awaiting_review', 30_000);
    expect(run.proposed_config).toMatchObject({ data: { input: procedure } });
    expect(await statesOf(builders.database, id)).toEqual(expected);
    expect(await builders.row(id)).toMatchObject({ lease_token: null, failed_attempts: 0 });
  };

  // The draft is stored with the phase in which it is checked; only a lost one is made again.
  const writes: [phase: string, fate: 'lose' | 'land', modelCalls: number][] = [
    ['reading', 'lose', 1],
    ['reading', 'land', 1],
    ['drafting', 'lose', 1],
    ['drafting', 'land', 1],
    ['checking', 'lose', 2],
    ['checking', 'land', 1],
    ['done', 'lose', 1],
    ['done', 'land', 1],
  ];

  it.each(writes)(
    'while it stores "%s" (its last write: %s) ends with one proposal',
    async (phase, fate, calls) => {
      server.script(proposes);
      const before = server.requests.length;
      write = await holdWrite(builders.database, phase);
      const id = await start();
      await write.reached();
      await killAndReplace();
      await write[fate]();
      await endsWell(id);
      expect(server.requests).toHaveLength(before + calls);
    },
  );

  it('while the model is at work ends with one proposal', async () => {
    server.script({ kind: 'hang' });
    const before = server.requests.length;
    const id = await start();
    await eventually(() => expect(server.requests).toHaveLength(before + 1));
    server.script(proposes);
    await killAndReplace();
    await endsWell(id);
    expect(server.requests).toHaveLength(before + 2);
  });

  it('while it asks, asks again', async () => {
    server.script(asks);
    write = await holdWrite(builders.database, 'clarifying');
    const id = await start();
    await write.reached();
    await killAndReplace();
    await write.lose();
    await builders.until(id, 'waiting', 30_000);
    expect(await statesOf(builders.database, id)).toEqual([...path.slice(0, 2), 'waiting clarifying']);
  });

  it('after it was answered goes on with the answers', async () => {
    server.script(asks);
    const id = await start();
    await builders.until(id, 'waiting');
    server.script({ kind: 'hang' });
    const before = server.requests.length;
    const body = { answers: { 'How often?': 'daily' } };
    await builders.call(resumeBuilderRun, { params: { builder_run_id: id }, body });
    await eventually(() => expect(server.requests).toHaveLength(before + 1));
    server.script(proposes);
    await killAndReplace();
    await endsWell(id, [...path.slice(0, 2), 'waiting clarifying', ...path.slice(1)]);
    expect(JSON.stringify(server.requests.at(-1))).toContain('<answer>daily</answer>');
  });

  it('again and again ends with one proposal', async () => {
    server.script({ kind: 'hang' });
    const id = await start();
    for (let deaths = 0; deaths < ofStorm({ short: 1, long: 4 }); deaths += 1) {
      const calls = server.requests.length;
      await killAndReplace();
      await eventually(() => expect(server.requests.length).toBeGreaterThan(calls), { timeoutMs: 20_000 });
    }
    server.script(proposes);
    await killAndReplace();
    await endsWell(id);
  });
});

/** In the storm as they ship: then it is the lease of 20 s that has to run out. */
const settings = ofStorm<Record<string, string>>({ short: { BUILDER_LEASE_MS: '3000' }, long: {} });

describe('with the settings that ship', () => {
  it('a killed worker is replaced within 30 seconds', async () => {
    const server = await startModelServer();
    const builders = await BuilderUnderTest.prepare({ COMPATIBLE_BASE_URL: server.openAiUrl, ...settings });
    try {
      const victim = await builders.startProcess();
      server.script({ kind: 'hang' });
      const { buildId } = await builders.makeAgent({ models: { agent: { model: 'compatible/stand-in' } } });
      const id = await builders.generate(buildId);
      await eventually(() => expect(server.requests).toHaveLength(1));
      await builders.startProcess();
      server.script(proposes);
      victim.signal('SIGKILL');
      await victim.exited;
      await builders.untilRow(id, { status: 'awaiting_review' }, 30_000);
    } finally {
      await builders.stop();
      await server.close();
    }
  });
});
