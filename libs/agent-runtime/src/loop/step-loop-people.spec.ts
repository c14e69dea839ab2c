import { carryOn, ScriptedRun, toolOf } from '../../test/run-loop.js';
import { MemoryJournal } from '../../test/memory-journal.js';
import { call, PlayedModel, turn } from '../../test/turns.js';
import { humanTools } from '../tools/human-tools.js';
import { toModelMessages } from './model-messages.js';
import { ToolBox } from '../tools/tool-box.js';

describe('a person who is asked', () => {
  it('is waited for without holding anything', async () => {
    const run = new ScriptedRun(['ask Which one? | red | blue', 'finish It is {{answer}}']);
    expect(await run.carryOn()).toBe('asked');
    expect(run.journal.entries[1]).toMatchObject({
      step: { name: 'ask_human', kind: 'human', status: 'running', completedAt: null, attempts: 1 },
      messages: [{ type: 'human_request', role: 'assistant', text: 'Which one?' }],
      then: {
        kind: 'ask',
        toolCallId: 'step-1',
        request: { type: 'question', title: 'Which one?', dueAt: null },
      },
    });
    expect(run.journal.entries[1]?.toolCallsEnded).toBeUndefined();
    run.journal.answer({ answers: { 'Which one?': 'blue' } });
    expect(await run.carryOn()).toBe('completed');
    expect(run.journal.said).toEqual(['It is blue']);
  });

  it('may deny', async () => {
    const run = new ScriptedRun(['approve Pay {{message}}', 'finish It was {{answer}}'], {
      message: '5 EUR',
    });
    expect(await run.carryOn()).toBe('asked');
    expect(run.journal.entries[1]?.then).toMatchObject({ request: { type: 'approval', title: 'Pay 5 EUR' } });
    run.journal.answer({ approved: false, comment: 'too dear' });
    expect(await run.carryOn()).toBe('completed');
    expect(run.journal.said).toEqual(['It was denied: too dear']);
  });

  it('is not asked in a run without people', async () => {
    const run = new ScriptedRun(['ask Which?', 'finish {{answer}}'], { humanInTheLoop: false });
    expect(await run.carryOn()).toBe('completed');
    expect(run.journal.said).toEqual([
      'Error: This run was started without people in the loop: nobody can be asked.',
    ]);
  });

  it('has the date until which there is time', async () => {
    const journal = new MemoryJournal();
    const args = { question: 'Wh\0ich?', due_at: '2999-01-01T00:00:00Z' };
    await carryOn(journal, { model: new PlayedModel(turn({ toolCalls: [call('c1', 'ask_human', args)] })) });
    expect(journal.entries[1]?.then).toMatchObject({
      request: { title: 'Wh\uFFFDich?', dueAt: new Date('2999-01-01T00:00:00Z') },
    });
  });

  it('may be asked together with other calls of the turn', async () => {
    const journal = new MemoryJournal();
    const calls = [
      call('a', 'echo'),
      call('b', 'ask_human', { question: 'Which?' }),
      call('c', 'echo', { n: 3 }),
    ];
    const model = new PlayedModel(turn({ text: 'Both', toolCalls: calls }), turn({ text: 'Done' }));
    expect(await carryOn(journal, { model })).toBe('asked');
    journal.answer({ answers: { 'Which?': 'blue' } });
    expect(await carryOn(journal, { model })).toBe('completed');
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.messages).toEqual([
      { role: 'assistant', text: 'Both', toolCalls: calls },
      { role: 'tool', toolCallId: 'a', toolName: 'echo', result: '{}' },
      { role: 'tool', toolCallId: 'b', toolName: 'ask_human', result: '{"answers":{"Which?":"blue"}}' },
      { role: 'tool', toolCallId: 'c', toolName: 'echo', result: '{"n":3}' },
    ]);
  });
});

describe('a message that is posted', () => {
  it('is seen at the next turn', async () => {
    const run = new ScriptedRun(['tool chat', 'say {{message}}', 'finish {{message}}'], { message: 'Hi' });
    const chat = toolOf('chat', async () => {
      run.journal.post('Hurry');
      return { kind: 'result', result: null };
    });
    expect(await run.carryOn({ tools: new ToolBox([chat]) })).toBe('completed');
    expect(run.journal.said).toEqual(['Hurry', 'Hurry']);
  });

  it('comes after the results of the calls under way', async () => {
    const journal = new MemoryJournal({ message: 'Hi' });
    const model = new PlayedModel(turn({ toolCalls: [call('a', 'chat')] }), turn({ text: 'Done' }));
    const chat = toolOf('chat', async () => {
      journal.post('Hurry');
      return { kind: 'result', result: 'ok' };
    });
    await carryOn(journal, { model, tools: new ToolBox([chat]) });
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ]);
  });

  it('stands before the turn that was made meanwhile, as it is stored', async () => {
    const journal = new MemoryJournal({ message: 'Hi' });
    const model = new PlayedModel(
      async () => {
        journal.post('Hurry');
        return turn({ toolCalls: [call('a', 'echo')] });
      },
      turn({ text: 'Done' }),
    );
    await carryOn(journal, { model });
    expect(model.requests[1]?.messages).toEqual(toModelMessages(journal.messages.slice(0, -1)));
  });

  it('during the last turn is answered before the run ends', async () => {
    const journal = new MemoryJournal({ message: 'Hi' });
    const model = new PlayedModel(
      async () => {
        journal.post('Wait!');
        return turn({ text: 'Done' });
      },
      turn({ text: 'I wait' }),
    );
    expect(await carryOn(journal, { model })).toBe('completed');
    expect(journal.entries.map(({ then }) => then)).toEqual([
      { kind: 'go-on' },
      { kind: 'complete', result: 'I wait' },
    ]);
    expect(journal.messages.map(({ text }) => text)).toEqual(['Hi', 'Wait!', 'Done', 'I wait']);
    expect(model.requests[1]?.messages).toMatchObject([{ text: 'Hi' }, { text: 'Done' }, { text: 'Wait!' }]);
  });

  it('during the last line of a script is answered too', async () => {
    const run = new ScriptedRun(['tool echo', 'wait 1', 'finish Done'], { message: 'Hi' });
    await run.carryOn();
    const state = run.journal.load();
    run.journal.post('More');
    expect(await run.carryOn({ state })).toBe('completed');
    expect(run.journal.said).toEqual([
      'Done',
      'I am the built-in scripted model and have no steps left to follow. You said: More',
    ]);
  });

  it('reopens a run behind its last stored line', async () => {
    const run = new ScriptedRun(['finish One', 'finish Two: {{message}}'], { message: 'Hi' });
    expect(await run.carryOn()).toBe('completed');
    run.journal.post('More');
    expect(await run.carryOn()).toBe('completed');
    run.journal.post('Still more');
    expect(await run.carryOn()).toBe('completed');
    expect(run.journal.said).toEqual([
      'One',
      'Two: More',
      'I am the built-in scripted model and have no steps left to follow. You said: Still more',
    ]);
  });
});

it('asks nothing twice after the answer has come', async () => {
  const journal = new MemoryJournal();
  const model = new PlayedModel(
    turn({ toolCalls: [call('a', 'request_approval', { title: 'Pay' })] }),
    turn({ text: 'Paid' }),
  );
  const tools = new ToolBox(humanTools());
  expect(await carryOn(journal, { model, tools })).toBe('asked');
  journal.answer({ approved: true });
  expect(await carryOn(journal, { model, tools })).toBe('completed');
  expect(journal.entries.filter(({ then }) => then.kind === 'ask')).toHaveLength(1);
});
