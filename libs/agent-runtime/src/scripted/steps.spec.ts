import fc from 'fast-check';
import { describeProblems, parseSteps, type Step } from './steps.js';
import { oneLine, writeStepsBlock } from './write-steps.js';

function inBlock(...lines: string[]): string {
  return ['# Procedure', '', '```steps', ...lines, '```', '', 'The end.'].join('\n');
}

function stepsOf(procedure: string): Step[] {
  const parsed = parseSteps(procedure);
  if (parsed.kind !== 'steps') throw new Error(`expected steps, got ${JSON.stringify(parsed)}`);
  return parsed.steps.map(({ line: _line, ...step }) => step);
}

function problemsOf(procedure: string): string {
  const parsed = parseSteps(procedure);
  if (parsed.kind !== 'invalid') throw new Error(`expected problems, got ${JSON.stringify(parsed)}`);
  return describeProblems(parsed.problems);
}

describe('parseSteps', () => {
  it.each<[string, Step]>([
    ['say Hello, {{message}}', { kind: 'say', text: 'Hello, {{message}}' }],
    [
      'tool write_file {"path": "a.txt", "content": "{{result}}"}',
      { kind: 'tool', name: 'write_file', arguments: { path: 'a.txt', content: '{{result}}' } },
    ],
    ['tool list_memory', { kind: 'tool', name: 'list_memory', arguments: {} }],
    [
      'ask Which one? | red | dark blue',
      { kind: 'ask', question: 'Which one?', options: ['red', 'dark blue'] },
    ],
    ['ask What next?', { kind: 'ask', question: 'What next?', options: [] }],
    ['approve Pay 100 EUR', { kind: 'approve', title: 'Pay 100 EUR' }],
    ['wait 0', { kind: 'wait', ms: 0 }],
    ['  wait   1500  ', { kind: 'wait', ms: 1500 }],
    ['fail No such customer', { kind: 'fail', message: 'No such customer' }],
    ['finish It is {{answer}}', { kind: 'finish', text: 'It is {{answer}}' }],
  ])('reads "%s"', (line, step) => {
    expect(stepsOf(inBlock(line))).toEqual([step]);
  });

  it.each([
    ['say', 'line 4: say needs a text'],
    ['tool', 'line 4: tool needs the name of a tool'],
    ['tool write_file {"path"', 'line 4: the arguments of the tool are not JSON'],
    ['tool write_file [1]', 'line 4: the arguments of the tool must be a JSON object'],
    ['tool write_file null', 'line 4: the arguments of the tool must be a JSON object'],
    ['ask | yes', 'line 4: ask needs a question'],
    ['ask Sure? | yes |', 'line 4: an option of ask is empty'],
    ['approve', 'line 4: approve needs a title'],
    ['wait', 'line 4: wait needs a whole number of milliseconds'],
    ['wait -1', 'line 4: wait needs a whole number of milliseconds'],
    ['wait 1.5', 'line 4: wait needs a whole number of milliseconds'],
    ['wait 99999999999', 'line 4: wait needs a whole number of milliseconds'],
    ['fail', 'line 4: fail needs a message'],
    ['finish', 'line 4: finish needs a text'],
    ['Say hello', 'line 4: unknown step "Say": expected say, tool, ask, approve, wait, fail, finish'],
    [
      'constructor x',
      'line 4: unknown step "constructor": expected say, tool, ask, approve, wait, fail, finish',
    ],
  ])('refuses "%s"', (line, problem) => {
    expect(problemsOf(inBlock(line))).toBe(problem);
  });

  it('names every bad line and skips empty ones', () => {
    expect(problemsOf(inBlock('say Hi', '', 'wait a bit', 'finish'))).toBe(
      'line 6: wait needs a whole number of milliseconds; line 7: finish needs a text',
    );
  });

  it('tells where each step stands', () => {
    expect(parseSteps(inBlock('say Hi', '', 'finish Bye'))).toMatchObject({
      steps: [{ line: 4 }, { line: 6 }],
    });
  });

  it('reads the first block only', () => {
    expect(stepsOf(`${inBlock('say first')}\n${inBlock('say second')}`)).toEqual([
      { kind: 'say', text: 'first' },
    ]);
  });

  it.each([
    '',
    'Just text.',
    '```\nsay Hi\n```',
    '```stepsx\nsay Hi\n```',
    'steps',
    '    ```steps\n    say Hi\n    ```',
  ])('finds none in %j', (procedure) => {
    expect(parseSteps(procedure)).toEqual({ kind: 'none' });
  });

  it('does not take a block for steps that stands inside another', () => {
    const quoted = ['````markdown', '```steps', 'say quoted', '```', '````', '~~~steps', 'say meant', '~~~'];
    expect(stepsOf(quoted.join('\r\n'))).toEqual([{ kind: 'say', text: 'meant' }]);
  });

  it('says that a block has no end', () => {
    expect(problemsOf('Text\n```steps\nsay Hi')).toBe('line 2: the steps block is not closed');
  });

  it('reads an empty block as no steps', () => {
    expect(parseSteps('```steps\n```')).toEqual({ kind: 'steps', steps: [] });
  });

  it('never throws and names only lines that are there', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '```steps',
        '```',
        '````',
        '~~~steps',
        'say x',
        'tool a {}',
        'ask q | o',
        'wait 1',
        'wait',
      ),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const procedure = lines.join('\n');
        const parsed = parseSteps(procedure);
        const places =
          parsed.kind === 'steps' ? parsed.steps : parsed.kind === 'invalid' ? parsed.problems : [];
        for (const place of places) {
          expect(place.line).toBeGreaterThanOrEqual(1);
          expect(place.line).toBeLessThanOrEqual(procedure.split('\n').length);
        }
      }),
    );
  });
});

describe('writeStepsBlock', () => {
  const text = fc.string({ unit: 'grapheme' }).map(oneLine).filter(Boolean);
  const part = text.map((value) => oneLine(value.replaceAll('|', ''))).filter(Boolean);
  const step: fc.Arbitrary<Step> = fc.oneof(
    text.map((value) => ({ kind: 'say' as const, text: value })),
    fc
      .tuple(fc.stringMatching(/^[a-z_.]{1,20}$/), fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([name, args]) => ({
        kind: 'tool' as const,
        name,
        arguments: JSON.parse(JSON.stringify(args)) as Record<string, unknown>,
      })),
    fc
      .tuple(part, fc.array(part, { maxLength: 4 }))
      .map(([question, options]) => ({ kind: 'ask' as const, question, options })),
    text.map((title) => ({ kind: 'approve' as const, title })),
    fc.integer({ min: 0, max: 9_999_999_999 }).map((ms) => ({ kind: 'wait' as const, ms })),
    text.map((message) => ({ kind: 'fail' as const, message })),
    text.map((value) => ({ kind: 'finish' as const, text: value })),
  );

  it('is read back as the same steps, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.array(step), fc.string({ unit: 'grapheme' }), (steps, after) => {
        const procedure = ['# Title', ...writeStepsBlock(steps), after].join('\n');
        expect(stepsOf(procedure)).toEqual(steps);
      }),
    );
  });

  it('puts texts of many lines on one, and takes bars out of questions', () => {
    const steps: Step[] = [
      { kind: 'say', text: 'one\n```\ntwo' },
      { kind: 'ask', question: 'this|that', options: ['a|b'] },
    ];
    expect(stepsOf(writeStepsBlock(steps).join('\n'))).toEqual([
      { kind: 'say', text: 'one ``` two' },
      { kind: 'ask', question: 'this/that', options: ['a/b'] },
    ]);
  });
});
