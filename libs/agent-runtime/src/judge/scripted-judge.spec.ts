import type { LoopMessage } from '../loop/journal.js';
import { ScriptedJudge } from './scripted-judge.js';

const said = (text: string, fields: Partial<LoopMessage> = {}): LoopMessage => ({
  type: 'text',
  role: 'assistant',
  text,
  ...fields,
});

const judge = async (description: string, ...transcript: LoopMessage[]) => {
  const task = { rubrics: [{ title: 'A rubric', description }], transcript };
  const [verdict] = await new ScriptedJudge().judge(task);
  return verdict!;
};

describe('the judge of the built-in model', () => {
  it.each([
    ['The answer says "thank you".', true],
    ['The answer says "Thank you".', false],
    ['It says "thank you" and "goodbye".', true],
    ['It says "thank you" and "see you".', false],
    ['It says “thank you”.', null],
    ['It is polite.', null],
    ['It says "" or " ".', null],
    ['It stays below 5" of paper.', null],
  ])('%s → %s', async (description, passed) => {
    const verdict = await judge(description, said('Well, thank you.'), said('And goodbye!'));
    expect(verdict.passed).toBe(passed);
  });

  it('looks only at what the assistant has said', async () => {
    const rubric = 'The agent must say "done" at the end.';
    const others = [
      said('done', { role: 'user' }),
      said('done', { type: 'thinking' }),
      said('done', { type: 'human_request' }),
      said('', { type: 'tool_result', role: 'tool', toolResult: { toolCallId: '1', result: 'done' } }),
    ];
    expect(await judge(rubric, ...others)).toEqual({
      passed: false,
      comment: 'The assistant did not say "done".',
    });
    expect((await judge(rubric, ...others, said('All done.'))).passed).toBe(true);
  });

  it('does not put two texts together', async () => {
    expect((await judge('It says "a b" in one text.', said('a'), said('b'))).passed).toBe(false);
  });

  it('gives one verdict for each rubric, in order', async () => {
    const rubrics = ['"a" is said', '"b" is said', 'neither'].map((description) => ({
      title: 't',
      description,
    }));
    const verdicts = await new ScriptedJudge().judge({ rubrics, transcript: [said('b')] });
    expect(verdicts.map(({ passed }) => passed)).toEqual([false, true, null]);
  });
});
