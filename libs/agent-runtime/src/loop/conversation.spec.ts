import fc from 'fast-check';
import { ScriptedRun } from '../../test/run-loop.js';
import { call, PlayedModel, turn } from '../../test/turns.js';
import { carryOn, toolOf } from '../../test/run-loop.js';
import { MemoryJournal, plenty } from '../../test/memory-journal.js';
import { ToolBox } from '../tools/tool-box.js';
import { Conversation } from './conversation.js';
import type { LoopMessage } from './journal.js';
import { messageBytes } from './message-size.js';

const user = (text: string): LoopMessage => ({ type: 'text', role: 'user', text });
const said = (text: string): LoopMessage => ({ type: 'text', role: 'assistant', text });
const calls = (id: string, name = 'look'): LoopMessage => ({
  type: 'tool_call',
  role: 'assistant',
  toolCall: call(id, name),
});
const result = (toolCallId: string, text = 'ok'): LoopMessage => ({
  type: 'tool_result',
  role: 'tool',
  toolResult: { toolCallId, result: text },
});
const long = 'x'.repeat(1_000);

function conversation(...messages: LoopMessage[]): Conversation {
  const made = new Conversation({ messages: [], omitted: 0 }, 2_000);
  for (const message of messages) made.push(message);
  return made;
}

describe('Conversation', () => {
  it('keeps everything while it is short', () => {
    const messages = [user('Hi'), calls('a'), result('a'), said('Done')];
    expect(conversation(...messages)).toMatchObject({ messages, omitted: 0 });
  });

  it('keeps what a model may need however old it is, with the calls of results', () => {
    const needed = [
      user('First'),
      calls('h', 'ask_human'),
      result('h', 'Ada'),
      calls('r'),
      result('r'),
      said('So'),
    ];
    const talk = Array.from({ length: 20 }, () => user(long));
    const { messages, omitted } = conversation(...needed, ...talk);
    expect(messages.slice(0, needed.length)).toEqual(needed);
    expect(messages.at(-1)).toEqual(user(long));
    expect(omitted + messages.length).toBe(needed.length + talk.length);
    expect(omitted).toBeGreaterThan(10);
  });

  it('keeps the newest turn whole, with every result it has got', () => {
    const newest = [
      calls('a'),
      calls('b'),
      calls('c'),
      result('a', long),
      result('b', long),
      result('c', long),
    ];
    const { messages } = conversation(user('Hi'), ...Array.from({ length: 9 }, () => said(long)), ...newest);
    expect(messages.slice(-newest.length)).toEqual(newest);
  });

  it('stays within its bound and those few, and loses count of nothing', () => {
    const message = fc.oneof(
      fc.string({ maxLength: 900 }).map(user),
      fc.string({ maxLength: 900 }).map(said),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60 }), (given) => {
        const { messages, omitted } = conversation(...given);
        const bytes = messages.reduce((sum, one) => sum + messageBytes(one), 0);
        expect(bytes).toBeLessThanOrEqual(2 * 2_000 + 3 * 2_700);
        expect(messages.length + omitted).toBe(given.length);
      }),
    );
  });
});

describe('a run with a small memory', () => {
  it('fills in what it was told long ago', async () => {
    const filler = Array.from({ length: 10 }, () => `tool echo {"text": "${long}"}`);
    const lines = ['ask Which?', 'say A', ...filler, 'finish {{message}} {{answer}}'];
    const run = new ScriptedRun(lines, { message: 'Hello' });
    const small = { memoryBytes: 2_000 };
    expect(await run.carryOn(small)).toBe('asked');
    run.journal.answer({ answers: { 'Which?': 'blue' } });
    expect(await run.carryOn(small)).toBe('completed');
    expect(run.journal.said.at(-1)).toBe('Hello blue');
  });

  it('tells the model how much it is not shown', async () => {
    const journal = new MemoryJournal({ message: 'Hi' });
    const look = toolOf('look', async () => ({ kind: 'result', result: long }));
    const turns = Array.from({ length: 8 }, (_, n) => turn({ toolCalls: [call(`c${n}`, 'look')] }));
    const model = new PlayedModel(...turns, turn({ text: 'Done' }));
    const options = { model, tools: new ToolBox([look]), memoryBytes: 1_500, contextChars: 100_000 };
    expect(await carryOn(journal, options)).toBe('completed');
    const shown = model.requests.at(-1)!.messages.slice(0, 2);
    expect(shown).toEqual([
      { role: 'user', text: 'Hi' },
      { role: 'user', text: expect.stringMatching(/^\[\d+ earlier messages were left out here/) },
    ]);
  });
});

describe('the messages of a run', () => {
  it('end it when there are as many as there may be, and the last step leaves none', async () => {
    const run = new ScriptedRun(['say A', 'say B', 'say C'], { left: { ...plenty, messages: 2 } });
    expect(await run.carryOn()).toBe('failed');
    expect(run.journal.said).toEqual(['A', 'B']);
    expect(run.journal.entries.at(-1)).toMatchObject({
      step: { kind: 'model', status: 'failed' },
      messages: [],
      then: { kind: 'fail', error: { code: 'limit_reached' } },
    });
  });

  it('end it when they take as much room as they may', async () => {
    const run = new ScriptedRun([`say ${long}`, `say ${long}`], { left: { ...plenty, messageBytes: 1_500 } });
    expect(await run.carryOn()).toBe('failed');
    expect(run.journal.entries.at(-1)?.then).toMatchObject({ error: { code: 'limit_reached' } });
  });
});
