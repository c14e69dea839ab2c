import fc from 'fast-check';
import { ScriptedRun } from '../../test/run-loop.js';
import type { Entry, Journal } from './journal.js';

const line = fc.constantFrom(
  'say Said {{message}}, {{result}}, {{answer}}',
  'tool echo {"message": "{{message}}", "before": "{{answer}}"}',
  'tool no_such_tool',
  'ask Which? | red | blue',
  'approve Pay for {{result}}',
  'wait 5',
  'finish Done with {{answer}}',
  'fail Broken at {{result}}',
);
const script = fc.array(line, { maxLength: 8 });

/** A process that dies after so many stored entries: before or after the last one was stored. */
interface Crash {
  readonly afterEntries: number;
  readonly isStored: boolean;
}

class CrashError extends Error {}

function crashing(journal: Journal, crash: Crash | undefined): Journal {
  let count = 0;
  return {
    recordIntent: (call) => journal.recordIntent(call),
    async record(entry: Entry) {
      count += 1;
      if (!crash || count <= crash.afterEntries) return journal.record(entry);
      if (crash.isStored) await journal.record(entry);
      throw new CrashError();
    },
  };
}

/** Carries a run to its end, answering what it asks; each call of the loop may crash as it is told. */
async function play(lines: readonly string[], crashes: readonly Crash[]): Promise<ScriptedRun['journal']> {
  const run = new ScriptedRun(lines, { message: 'Hi' });
  const left = [...crashes];
  for (;;) {
    const end = await carryOn(run, left.shift());
    if (end === 'completed' || end === 'failed') return run.journal;
    if (end === 'asked') run.journal.answer({ answers: { 'Which?': 'blue' } });
  }
}

/** After a crash the stored entries tell how the run stands, as they do another worker. */
async function carryOn(run: ScriptedRun, crash: Crash | undefined): Promise<string | undefined> {
  const before = run.journal.entries.length;
  try {
    return await run.carryOn({ journal: crashing(run.journal, crash) });
  } catch (error) {
    if (!(error instanceof CrashError)) throw error;
    const ends = {
      complete: 'completed',
      fail: 'failed',
      ask: 'asked',
      sleep: 'sleeping',
      await: 'sleeping',
      'go-on': undefined,
    };
    const last = run.journal.entries.length > before ? run.journal.entries.at(-1) : undefined;
    return last ? ends[last.then.kind] : undefined;
  }
}

describe('a run whose worker dies', () => {
  it('ends as it would have, wherever that happens and however often', async () => {
    const crash = fc.record({ afterEntries: fc.nat(6), isStored: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(script, fc.array(crash, { minLength: 1, maxLength: 6 }), async (lines, crashes) => {
        const whole = await play(lines, []);
        const broken = await play(lines, crashes);
        expect(broken.messages).toEqual(whole.messages);
        expect(broken.entries.map(outline)).toEqual(whole.entries.map(outline));
      }),
    );
  });

  it('ends as it would have from every single step', async () => {
    const lines = ['say A', 'tool echo {"n": 1}', 'ask Which?', 'wait 5', 'approve Pay', 'finish {{answer}}'];
    const whole = await play(lines, []);
    expect(whole.entries).toHaveLength(9);
    for (let afterEntries = 0; afterEntries < whole.entries.length; afterEntries += 1) {
      for (const isStored of [false, true]) {
        expect((await play(lines, [{ afterEntries, isStored }])).messages).toEqual(whole.messages);
      }
    }
  });
});

it('answers a message of the last turn though the worker dies before it can', async () => {
  const run = new ScriptedRun(['finish Done'], { message: 'Hi' });
  const state = run.journal.load();
  run.journal.post('More');
  const journal = crashing(run.journal, { afterEntries: 1, isStored: true });
  await expect(run.carryOn({ state, journal })).rejects.toThrow(CrashError);
  expect(run.journal.said).toEqual(['Done']);
  expect(await run.carryOn()).toBe('completed');
  expect(run.journal.said).toEqual(['Done', expect.stringContaining('You said: More')]);
});

/** An entry without its times. */
function outline({ step, messages, scriptPosition, then }: Entry): unknown {
  return { kind: step?.kind, status: step?.status, usage: step?.usage, messages, scriptPosition, then };
}
