import { carryOn, ScriptedRun } from '../../test/run-loop.js';
import { MemoryJournal } from '../../test/memory-journal.js';
import { call, PlayedModel, turn } from '../../test/turns.js';

/** The arguments are one level themselves. */
function nested(levels: number, open: string, close: string): string {
  return `{"a":${open.repeat(levels - 1)}"{{message}}"${close.repeat(levels - 1)}}`;
}

describe.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('a tool call whose arguments are %s within each other', (_kind, open, close) => {
  const refused = {
    messages: [
      { type: 'tool_call', toolCall: { arguments: {} } },
      { type: 'tool_result', toolResult: { error: expect.stringContaining('not valid: they are nested') } },
    ],
    toolCallsEnded: [{ ok: false }],
    then: { kind: 'go-on' },
  };

  it.each([101, 3_000, 50_000])(
    'is not made if they have %d levels, and a script goes on',
    async (levels) => {
      const run = new ScriptedRun([`tool echo ${nested(levels, open, close)}`, 'finish Done']);
      expect(await run.carryOn()).toBe('completed');
      expect(run.journal.entries).toHaveLength(2);
      expect(run.journal.entries[0]).toMatchObject(refused);
    },
  );

  it.each([101, 3_000, 50_000])('is not made if they have %d levels, by any model', async (levels) => {
    const journal = new MemoryJournal();
    const args = JSON.parse(nested(levels, open, close)) as Record<string, unknown>;
    const toolCalls = [call('a', 'echo', args), call('b', 'echo', { n: 1 })];
    const model = new PlayedModel(turn({ toolCalls }), turn({ text: 'Done' }));
    expect(await carryOn(journal, { model })).toBe('completed');
    const ended = journal.entries.flatMap(({ toolCallsEnded = [] }) => toolCallsEnded);
    expect(ended.map(({ id, ok }) => [id, ok])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  it('is made with a hundred levels, filled in to the last', async () => {
    const run = new ScriptedRun([`tool echo ${nested(100, open, close)}`, 'finish {{result}}'], {
      message: 'Hi',
    });
    expect(await run.carryOn()).toBe('completed');
    expect(run.journal.said).toEqual([nested(100, open, close).replace('{{message}}', 'Hi')]);
  });
});
