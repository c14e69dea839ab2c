import { carryOn, ScriptedRun } from '../../test/run-loop.js';
import { MemoryJournal } from '../../test/memory-journal.js';
import { call, PlayedModel, turn } from '../../test/turns.js';

const mebibyte = 1024 * 1024;
const message = 'x'.repeat(200_000);

describe('a text that is too long for a run', () => {
  it('fails the run before it is made, however often a line repeats its message', async () => {
    const run = new ScriptedRun([`say ${'{{message}}'.repeat(2_500)}`], { message });
    expect(await run.carryOn()).toBe('failed');
    expect(run.journal.entries.at(-1)).toMatchObject({
      step: { kind: 'model', status: 'failed' },
      messages: [],
      then: { kind: 'fail', error: { code: 'output_too_large' } },
    });
  });

  it('may have a mebibyte and not a byte more', async () => {
    const fits = new ScriptedRun(['say {{message}}'], { message: 'ä'.repeat(mebibyte / 2) });
    expect(await fits.carryOn()).toBe('completed');
    const long = new ScriptedRun(['say {{message}}!'], { message: 'ä'.repeat(mebibyte / 2) });
    expect(await long.carryOn()).toBe('failed');
  });

  it.each([['text'], ['thinking']])('may come from any model, as its %s', async (field) => {
    const journal = new MemoryJournal();
    const model = new PlayedModel(turn({ text: 'Hi', [field]: 'x'.repeat(mebibyte + 1) }));
    expect(await carryOn(journal, { model })).toBe('failed');
    expect(journal.entries.at(-1)?.then).toMatchObject({ error: { code: 'output_too_large' } });
  });

  it('may be the reason of a failure', async () => {
    const run = new ScriptedRun([`fail ${'{{message}}'.repeat(6)}`], { message });
    expect(await run.carryOn()).toBe('failed');
    expect(run.journal.entries.at(-1)?.then).toMatchObject({ error: { code: 'output_too_large' } });
  });
});

describe('a tool call whose arguments are too long', () => {
  const refused = {
    messages: [
      { type: 'tool_call', toolCall: { arguments: {} } },
      { type: 'tool_result', toolResult: { error: expect.stringContaining('too long') } },
    ],
    toolCallsEnded: [{ ok: false, error: expect.stringContaining('too long') }],
    then: { kind: 'go-on' },
  };

  it.each([
    [`tool echo {"a": "{{message}}", "b": ["${'{{message}}'.repeat(5)}"]}`],
    [`ask ${'{{message}}'.repeat(6)}`],
    [`ask Which? | ${Array(6).fill('{{message}}').join(' | ')}`],
    [`approve ${'{{message}}'.repeat(6)}`],
  ])('is not made, and the script goes on: %#', async (line) => {
    const run = new ScriptedRun([line, 'finish Done'], { message });
    expect(await run.carryOn()).toBe('completed');
    expect(run.journal.entries[0]).toMatchObject(refused);
    expect(run.journal.entries).toHaveLength(2);
  });

  it('of any model is told so, and the other calls of its turn are made', async () => {
    const journal = new MemoryJournal();
    const model = new PlayedModel(
      turn({ toolCalls: [call('a', 'echo', { text: 'x'.repeat(mebibyte) }), call('b', 'echo', { n: 1 })] }),
      turn({ text: 'Done' }),
    );
    expect(await carryOn(journal, { model })).toBe('completed');
    const ended = journal.entries.flatMap(({ toolCallsEnded = [] }) => toolCallsEnded);
    expect(ended.map(({ id, ok }) => [id, ok])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(model.requests[1]?.messages.map((one) => one.role === 'tool' && one.result)).toEqual([
      false,
      expect.stringContaining('too long'),
      '{"n":1}',
    ]);
  });
});
