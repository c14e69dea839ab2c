import { setImmediate as nextTurn } from 'node:timers/promises';
import { ScriptedRun, toolOf } from '../../test/run-loop.js';
import { ToolBox } from '../tools/tool-box.js';

const reason = new Error('the process wants to end');
const script = ['tool tell {"to": "someone"}', 'say Told: {{result}}', 'finish Done'];

/** A worker that is told to end while a tool is being called, and a second one that has all the time. */
function told({ isRepeatable }: { isRepeatable: boolean }) {
  const leaving = new AbortController();
  const calls: string[] = [];
  const tell = toolOf(
    'tell',
    async (_args, { signal }) => {
      leaving.abort(reason);
      await nextTurn();
      calls.push(signal.aborted ? 'broken off' : 'ended');
      return { kind: 'result', result: 'yes' };
    },
    isRepeatable,
  );
  const tools = new ToolBox([tell]);
  const run = new ScriptedRun(script);
  return {
    calls,
    journal: run.journal,
    first: () => run.carryOn({ tools, leaving: leaving.signal }),
    second: () => run.carryOn({ tools }),
  };
}

describe('a worker that wants to end', () => {
  it('lets a call end that must not be made again, stores it, and begins no other step', async () => {
    const { calls, journal, first, second } = told({ isRepeatable: false });
    await expect(first()).rejects.toBe(reason);
    expect(calls).toEqual(['ended']);
    expect(journal.entries.at(-1)?.step).toMatchObject({ kind: 'tool', status: 'completed' });
    expect(journal.said).toEqual([]);
    expect(await second()).toBe('completed');
    expect(calls).toEqual(['ended']);
    expect(journal.said).toEqual(['Told: yes', 'Done']);
  });

  it('breaks a call off that can be made again', async () => {
    const { calls, journal, first, second } = told({ isRepeatable: true });
    await expect(first()).rejects.toBe(reason);
    expect(journal.intent).toEqual({ name: 'tell', attempts: 1 });
    expect(await second()).toBe('completed');
    expect(calls).toEqual(['broken off', 'ended']);
    expect(journal.said).toEqual(['Told: yes', 'Done']);
  });

  it('begins nothing if it was told before', async () => {
    const run = new ScriptedRun(script);
    await expect(run.carryOn({ leaving: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(run.journal.entries).toEqual([]);
  });
});
