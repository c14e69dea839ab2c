import { carryOn, toolOf } from '../../test/run-loop.js';
import { MemoryJournal } from '../../test/memory-journal.js';
import { call, PlayedModel, turn } from '../../test/turns.js';
import type { ToolCall } from '../models/model.js';
import { ToolBox } from '../tools/tool-box.js';
import type { LoopMessage } from './journal.js';
import { keepable } from './model-step.js';

const done = turn({ text: 'Done' });
const text = 'x'.repeat(1_000);

function idsOf(messages: readonly LoopMessage[]): string[] {
  return messages.flatMap(({ toolCall }) => toolCall?.id ?? []);
}

function callsOf(...ids: string[]): ToolCall[] {
  return ids.map((id) => call(id, 'echo', { text }));
}

describe('the id of a call', () => {
  it.each(['call_0', ''])('that a model gives as %j again and again is never the same', async (id) => {
    const journal = new MemoryJournal({ message: 'Hi' });
    const turns = Array.from({ length: 30 }, () => turn({ toolCalls: callsOf(id, id) }));
    const model = new PlayedModel(...turns, done);
    expect(await carryOn(journal, { model, memoryBytes: 4_000 })).toBe('completed');
    const ids = idsOf(journal.messages);
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
  });

  it('is new also if a worker knows only the last messages of the run', async () => {
    const journal = new MemoryJournal({ message: 'Hi' });
    for (let round = 0; round < 5; round += 1) {
      const whole = journal.load();
      const state = { ...whole, messages: whole.messages.slice(-1), omitted: whole.messages.length - 1 };
      const model = new PlayedModel(turn({ toolCalls: callsOf('call_0') }), done);
      expect(await carryOn(journal, { model, state: round === 0 ? whole : state })).toBe('completed');
    }
    expect(idsOf(journal.messages)).toEqual(['call_0', 'call_0-m4', 'call_0-m7', 'call_0-m10', 'call_0-m13']);
  });

  it('stays as it was stored when the run is carried on', async () => {
    const journal = new MemoryJournal({ message: 'Hi' });
    const seen: string[] = [];
    const pay = toolOf('pay', async (_args, { callId }) => {
      seen.push(callId);
      return seen.length === 1 ? { kind: 'later', afterMs: 1 } : { kind: 'result', result: 'paid' };
    });
    const model = new PlayedModel(turn({ toolCalls: [call('call_0', 'pay')] }), done);
    const goOn = () =>
      carryOn(journal, { model, tools: new ToolBox([pay]), state: { ...journal.load(), omitted: 20 } });
    expect(await goOn()).toBe('sleeping');
    expect(await goOn()).toBe('completed');
    expect(idsOf(journal.messages)).toEqual(['call_0-m21']);
    expect(seen).toEqual(['call_0-m21', 'call_0-m21']);
  });

  it('cannot look like one that was given in place of another', () => {
    const early = keepable(turn({ toolCalls: callsOf('a-m9') }), { messages: [], omitted: 0 });
    const late = keepable(turn({ toolCalls: callsOf('a', 'a') }), { messages: [], omitted: 9 });
    expect(early.toolCalls).toMatchObject([{ id: 'a-m9-m0' }]);
    expect(late.toolCalls).toMatchObject([{ id: 'a-m9' }, { id: 'a-2-m9' }]);
  });
});
