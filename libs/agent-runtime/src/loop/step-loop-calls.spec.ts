import { carryOn, toolOf } from '../../test/run-loop.js';
import { MemoryJournal } from '../../test/memory-journal.js';
import { call, PlayedModel, turn } from '../../test/turns.js';
import { ToolBox } from '../tools/tool-box.js';
import type { ToolOutcome } from '../tools/tool.js';

const done: ToolOutcome = { kind: 'result', result: 'done' };

/** A run that has said it will call the tool, and a tool that counts how often it is called. */
function runWith(outcomes: readonly (ToolOutcome | Error)[], { isRepeatable }: { isRepeatable: boolean }) {
  const journal = new MemoryJournal();
  const calls: string[] = [];
  const tool = toolOf(
    'pay',
    async (_args, { callId, fence, sandboxId }) => {
      calls.push([callId, fence, sandboxId].join());
      const outcome = outcomes[calls.length - 1] ?? done;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    isRepeatable,
  );
  const model = new PlayedModel(turn({ toolCalls: [call('a', 'pay')] }), turn({ text: 'Paid' }));
  const goOn = () => carryOn(journal, { model, tools: new ToolBox([tool]) });
  return { journal, calls, goOn, model, tool };
}

/** The process dies while the tool is at work: the call was noted, its result was not. */
async function crashInCall({ journal, model, tool }: ReturnType<typeof runWith>): Promise<void> {
  const dying = { ...tool, execute: () => Promise.reject(new Error('never settles')) };
  const dead = new Error('the process is gone');
  const dyingJournal = {
    recordIntent: (intent: Parameters<MemoryJournal['recordIntent']>[0]) => journal.recordIntent(intent),
    record: (entry: Parameters<MemoryJournal['record']>[0]) =>
      entry.toolCallsEnded ? Promise.reject(dead) : journal.record(entry),
  };
  const options = { model, tools: new ToolBox([dying]), journal: dyingJournal };
  await expect(carryOn(journal, options)).rejects.toBe(dead);
  expect(journal.intent).toEqual({ name: 'pay', attempts: 1 });
}

describe('a tool call', () => {
  it('is noted before it is made, and carries who it is for', async () => {
    const run = runWith([], { isRepeatable: false });
    expect(await run.goOn()).toBe('completed');
    expect(run.calls).toEqual(['a,fence-1,sandbox-1']);
    expect(run.journal.intent).toBeUndefined();
  });

  it('that was begun by a worker that died is made again if it may be', async () => {
    const run = runWith([], { isRepeatable: true });
    await crashInCall(run);
    expect(await run.goOn()).toBe('completed');
    expect(run.calls).toHaveLength(1);
    expect(run.journal.entries.find(({ toolCallsEnded }) => toolCallsEnded)?.step).toMatchObject({
      status: 'completed',
      attempts: 2,
    });
  });

  it('that may have taken effect is not made again: the model is told', async () => {
    const run = runWith([], { isRepeatable: false });
    await crashInCall(run);
    expect(await run.goOn()).toBe('completed');
    expect(run.calls).toEqual([]);
    const ended = run.journal.entries.find(({ toolCallsEnded }) => toolCallsEnded);
    expect(ended?.step).toMatchObject({ status: 'failed', attempts: 1 });
    expect(ended?.messages[0]?.toolResult?.error).toMatch(/interrupted.*not known.*not made again/);
  });

  it('whose result comes later lets go of the run and is made again, however often', async () => {
    const later: ToolOutcome = { kind: 'later', afterMs: 500 };
    const run = runWith([later, later, done], { isRepeatable: false });
    expect(await run.goOn()).toBe('sleeping');
    expect(run.journal.entries.at(-1)).toMatchObject({ messages: [], then: { kind: 'await', ms: 500 } });
    expect(await run.goOn()).toBe('sleeping');
    expect(await run.goOn()).toBe('completed');
    expect(run.calls).toHaveLength(3);
    const ended = run.journal.entries.find(({ toolCallsEnded }) => toolCallsEnded);
    expect(ended?.step).toMatchObject({ status: 'completed', attempts: 1 });
  });
});
