import { questionSchema } from '@aos/contracts';
import fc from 'fast-check';
import { buildByScript, type BuilderTask } from './scripted-builder.js';
import { parseSteps } from './steps.js';

const complete = 'Answer every customer mail until the inbox is empty';

function task(overrides: Partial<BuilderTask> = {}): BuilderTask {
  return { prompt: complete, procedure: '', answers: [], ...overrides };
}

function headersOf(given: BuilderTask): (string | undefined)[] {
  const outcome = buildByScript(given);
  return outcome.kind === 'questions' ? outcome.questions.map(({ header }) => header) : [];
}

function procedureOf(given: BuilderTask): string {
  const outcome = buildByScript(given);
  if (outcome.kind !== 'procedure') throw new Error(`expected a procedure, got ${JSON.stringify(outcome)}`);
  return outcome.procedure;
}

/** Answers whatever is asked. */
function answered(given: BuilderTask, answer = 'as you like'): BuilderTask {
  const outcome = buildByScript(given);
  const questions = outcome.kind === 'questions' ? outcome.questions : [];
  const answers = questions.map(({ question }) => ({ question, answer }));
  return { ...given, answers: [...given.answers, ...answers] };
}

describe('buildByScript', () => {
  it.each([
    [complete, []],
    ['Improve the present procedure.', ['Goal', 'Trigger', 'Success']],
    ['Mail', ['Goal', 'Trigger', 'Success']],
    ['Answer customer mails', ['Trigger', 'Success']],
    ['Answer customer mails daily', ['Success']],
    ['Whenever a mail comes, answer it', ['Success']],
    ['On request, answer a mail', ['Success']],
    ['Answer the mails at 9:00', ['Success']],
    ['Answer mails based on the manual', ['Trigger', 'Success']],
    ['Answer mails so that customers are happy', ['Trigger']],
    ['Answer mails; you are done when none is left', []],
    ['Every answer must be polite', []],
  ])('asks about %j only what it leaves open', (prompt, headers) => {
    expect(headersOf(task({ prompt }))).toEqual(headers);
  });

  it('takes from the present procedure what it says', () => {
    const prompt = 'Improve the present procedure.';
    expect(headersOf(task({ prompt, procedure: 'Answer mails.' }))).toEqual(['Trigger', 'Success']);
    expect(headersOf(task({ prompt, procedure: 'Answer mails daily until none is left.' }))).toEqual([]);
  });

  it('asks questions of the declared shape, with texts of their own', () => {
    const outcome = buildByScript(task({ prompt: 'Mail' }));
    if (outcome.kind !== 'questions') throw new Error('expected questions');
    for (const question of outcome.questions) expect(questionSchema.parse(question)).toEqual(question);
    expect(new Set(outcome.questions.map(({ question }) => question)).size).toBe(outcome.questions.length);
  });

  it('writes the prompt, each answer with its question, and steps towards the goal', () => {
    const procedure = procedureOf(answered(task({ prompt: 'Mail' }), 'answer the customers'));
    expect(procedure).toBe(`# Operating procedure

\`\`\`steps
say This is the built-in scripted model. The goal: answer the customers
finish Done: answer the customers
\`\`\`

## Task

Mail

## What should the agent achieve?

answer the customers

## When should the agent start to work?

answer the customers

## How can one tell that the work is done?

answer the customers
`);
  });

  it('keeps the present procedure and its steps', () => {
    const procedure = '# Mails\n\nBe kind.\n\n```steps\nsay Hi\nask Go on? | yes\n```\n\nAlways.';
    const next = procedureOf(task({ procedure }));
    expect(next.startsWith(procedure)).toBe(true);
    expect(next).toContain(complete);
    expect(parseSteps(next)).toEqual(parseSteps(procedure));
  });

  it.each(['```steps\nsay\n```', '```steps\n```', '# Mails\n```steps\nsay Hi'])(
    'puts steps that run before ones that do not: %j',
    (procedure) => {
      const next = procedureOf(task({ procedure }));
      expect(parseSteps(next)).toMatchObject({ kind: 'steps', steps: [{ kind: 'say' }, { kind: 'finish' }] });
      expect(next).toContain('```steps\nsay');
    },
  );

  it('adds nothing twice', () => {
    const once = procedureOf(task());
    expect(procedureOf(task({ procedure: once }))).toBe(once);
  });

  it('adds a task that is the beginning of an earlier one', () => {
    const once = procedureOf(task());
    expect(procedureOf(task({ procedure: once, prompt: 'Answer every customer' }))).toContain(
      '## Task\n\nAnswer every customer\n',
    );
  });

  it('is the same for the same task, asks nothing twice, and always ends with steps that run', () => {
    const fence = fc.constantFrom('```steps', '```', '~~~', 'say x', 'wait', '# Title', 'every', 'must', '');
    const prose = fc.array(fc.oneof(fence, fc.string({ unit: 'grapheme' }))).map((lines) => lines.join('\n'));
    const prompt = prose.map((text) => text.trim()).filter(Boolean);
    fc.assert(
      fc.property(prompt, prose, prompt, (given, procedure, answer) => {
        const asked = task({ prompt: given, procedure });
        expect(buildByScript(asked)).toEqual(buildByScript(asked));
        const next = procedureOf(answered(asked, answer));
        const before = parseSteps(procedure);
        const after = parseSteps(next);
        expect(after.kind === 'steps' && after.steps.length).toBeTruthy();
        if (before.kind === 'steps' && before.steps.length > 0) expect(after).toEqual(before);
        expect(next).toContain(given);
        for (const { question } of answered(asked).answers)
          expect(next).toContain(`## ${question}\n\n${answer}`);
        for (const line of procedure.split(/\s+/)) expect(next).toContain(line);
      }),
    );
  });
});
