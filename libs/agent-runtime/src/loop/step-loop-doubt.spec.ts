import { carryOn, toolOf } from '../../test/run-loop.js';
import { MemoryJournal } from '../../test/memory-journal.js';
import { call, PlayedModel, turn } from '../../test/turns.js';
import { ToolBox } from '../tools/tool-box.js';

/** A run of which the store has lost the latest steps, and a tool that counts how often it is called. */
function runInDoubt(isRepeatable: boolean, ...turns: ReturnType<typeof turn>[]) {
  const journal = new MemoryJournal();
  journal.isInDoubt = true;
  const calls: string[] = [];
  const tool = toolOf(
    'pay',
    async (_args, { callId }) => {
      calls.push(callId);
      return { kind: 'result', result: 'done' };
    },
    isRepeatable,
  );
  const options = { model: new PlayedModel(...turns, turn({ text: 'Done' })), tools: new ToolBox([tool]) };
  return { journal, calls, goOn: () => carryOn(journal, options) };
}

const errorsOf = ({ messages }: MemoryJournal) =>
  messages.flatMap(({ toolResult }) => toolResult?.error ?? []);

describe('a run whose latest steps are lost', () => {
  it('makes no call that may have been made and must not be repeated: the model is told', async () => {
    const run = runInDoubt(false, turn({ toolCalls: [call('a', 'pay'), call('b', 'pay')] }));
    expect(await run.goOn()).toBe('completed');
    expect(run.calls).toEqual([]);
    expect(errorsOf(run.journal)).toEqual(
      Array(2).fill(expect.stringMatching(/lost the latest steps.*not known.*Find out/)),
    );
  });

  it('makes a call that the model makes again once it knows, and no other', async () => {
    const pay = (id: string, order: number) => turn({ toolCalls: [call(id, 'pay', { order })] });
    const run = runInDoubt(false, pay('a', 1), pay('b', 2), pay('c', 1), pay('d', 3));
    expect(await run.goOn()).toBe('completed');
    expect(run.calls).toEqual(['c']);
  });

  it('repeats what may be repeated', async () => {
    const run = runInDoubt(true, turn({ toolCalls: [call('a', 'pay')] }));
    expect(await run.goOn()).toBe('completed');
    expect(run.calls).toEqual(['a']);
  });

  it('stays in doubt when its worker is lost', async () => {
    const run = runInDoubt(false, turn({ toolCalls: [call('a', 'pay'), call('b', 'pay')] }));
    const record = run.journal.record.bind(run.journal);
    let isAlive = true;
    run.journal.record = async (entry) => {
      if (!isAlive) throw new Error('the process is gone');
      isAlive = entry.toolCallsEnded === undefined;
      return record(entry);
    };
    await expect(run.goOn()).rejects.toThrow('the process is gone');
    run.journal.record = record;
    expect(await run.goOn()).toBe('completed');
    expect(run.calls).toEqual([]);
  });
});
