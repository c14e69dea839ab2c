import { resumeBuilderRun } from '@aos/contracts';
import { eventually, ofStorm, startModelServer, type ModelServer } from '@aos/testing';
import { BuilderCrashes, proposes, statesWithoutQuestions } from '../../builder-crashes.js';
import { holdWrite, statesOf, type HeldWrite } from '../../builder-journal.js';
import { BuilderUnderTest } from '../../builder-under-test.js';

const asks = {
  kind: 'turn',
  toolCalls: [{ name: 'ask_questions', arguments: { questions: [{ question: 'How often?' }] } }],
} as const;

const path = statesWithoutQuestions;

describe('a builder run whose worker is killed at one more point', () => {
  let crashes: BuilderCrashes;
  let server: ModelServer;
  let builders: BuilderUnderTest;
  let write: HeldWrite | undefined;

  beforeAll(async () => {
    crashes = await BuilderCrashes.prepare();
    ({ server, builders } = crashes);
    await crashes.startWorker();
  });

  afterAll(() => crashes?.stop());

  // A test that fails half-way must not stand in the way of the next.
  afterEach(() => write?.land());

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
      const id = await crashes.start();
      await write.reached();
      await crashes.killAndReplace();
      await write[fate]();
      await crashes.expectOneProposal(id);
      expect(server.requests).toHaveLength(before + calls);
    },
  );

  it('while it asks, asks again', async () => {
    server.script(asks);
    write = await holdWrite(builders.database, 'clarifying');
    const id = await crashes.start();
    await write.reached();
    await crashes.killAndReplace();
    await write.lose();
    await builders.until(id, 'waiting', 30_000);
    expect(await statesOf(builders.database, id)).toEqual([...path.slice(0, 2), 'waiting clarifying']);
  });

  it('after it was answered goes on with the answers', async () => {
    server.script(asks);
    const id = await crashes.start();
    await builders.until(id, 'waiting');
    server.script({ kind: 'hang' });
    const before = server.requests.length;
    const body = { answers: { 'How often?': 'daily' } };
    await builders.call(resumeBuilderRun, { params: { builder_run_id: id }, body });
    await eventually(() => expect(server.requests).toHaveLength(before + 1));
    server.script(proposes);
    await crashes.killAndReplace();
    await crashes.expectOneProposal(id, [...path.slice(0, 2), 'waiting clarifying', ...path.slice(1)]);
    expect(JSON.stringify(server.requests.at(-1))).toContain('<answer>daily</answer>');
  });

  it('again and again ends with one proposal', async () => {
    server.script({ kind: 'hang' });
    const id = await crashes.start();
    for (let deaths = 0; deaths < ofStorm({ short: 1, long: 4 }); deaths += 1) {
      const calls = server.requests.length;
      await crashes.killAndReplace();
      await eventually(() => expect(server.requests.length).toBeGreaterThan(calls), { timeoutMs: 20_000 });
    }
    server.script(proposes);
    await crashes.killAndReplace();
    await crashes.expectOneProposal(id);
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
