import { carryOn, toolOf } from '../../test/run-loop.js';
import { MemoryJournal } from '../../test/memory-journal.js';
import { call, PlayedModel, turn } from '../../test/turns.js';
import { ToolBox } from '../tools/tool-box.js';

const done = async () => ({ kind: 'result', result: 'done' }) as const;
const boxOf = (...names: string[]) => new ToolBox(names.map((name) => toolOf(name, done)));

describe('tools that change while a run is under way', () => {
  it('are the new ones from the next model turn on, for the calls of that turn too', async () => {
    const journal = new MemoryJournal();
    const model = new PlayedModel(
      turn({ toolCalls: [call('a', 'old'), call('b', 'new')] }),
      turn({ toolCalls: [call('c', 'new'), call('d', 'old')] }),
      turn({ text: 'Done' }),
    );
    const changes = [undefined, boxOf('new'), undefined];
    const changedTools = async () => changes.shift();
    expect(await carryOn(journal, { model, tools: boxOf('old'), changedTools })).toBe('completed');
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ['old'],
      ['new'],
      ['new'],
    ]);
    const ends = journal.entries.flatMap(({ toolCallsEnded = [] }) => toolCallsEnded);
    expect(ends.map(({ id, ok }) => [id, ok])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
      ['d', false],
    ]);
    expect(changes).toEqual([]);
  });

  it('end the run if they are gone for good', async () => {
    const journal = new MemoryJournal();
    const gone = new Error('gone');
    const options = { model: new PlayedModel(), tools: boxOf(), changedTools: () => Promise.reject(gone) };
    await expect(carryOn(journal, options)).rejects.toBe(gone);
    expect(journal.entries).toEqual([]);
  });
});
