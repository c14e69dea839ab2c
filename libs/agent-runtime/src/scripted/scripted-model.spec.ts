import type { ModelMessage, ModelTurn } from '../models/model.js';
import { InvalidScriptError } from './invalid-script-error.js';
import { ScriptedModel } from './scripted-model.js';

const user = (text: string): ModelMessage => ({ role: 'user', text });
const said = (text: string): ModelMessage => ({ role: 'assistant', text });
const called = (name: string, result: string): ModelMessage[] => [
  { role: 'assistant', text: '', toolCalls: [{ id: 'x', name, arguments: {} }] },
  { role: 'tool', toolCallId: 'x', toolName: name, result },
];

function script(...lines: string[]): ScriptedModel {
  return new ScriptedModel(['```steps', ...lines, '```'].join('\n'));
}

function play(model: ScriptedModel, scriptPosition: number, ...messages: ModelMessage[]): Promise<ModelTurn> {
  const { signal } = new AbortController();
  return model.generate({ system: '', messages, tools: [], scriptPosition, signal });
}

describe('ScriptedModel', () => {
  it.each<[string, Partial<ModelTurn>]>([
    ['say Hello', { text: 'Hello', then: { kind: 'continue' } }],
    ['finish Done', { text: 'Done', then: { kind: 'finish' } }],
    ['fail Broken', { text: '', then: { kind: 'fail', message: 'Broken' } }],
    ['wait 1500', { text: '', then: { kind: 'wait', ms: 1500 } }],
    [
      'tool weather {"city": "Oslo"}',
      {
        toolCalls: [{ id: 'step-1', name: 'weather', arguments: { city: 'Oslo' } }],
        then: { kind: 'continue' },
      },
    ],
    [
      'ask Which? | red | blue',
      {
        toolCalls: [
          { id: 'step-1', name: 'ask_human', arguments: { question: 'Which?', options: ['red', 'blue'] } },
        ],
      },
    ],
    ['ask Why?', { toolCalls: [{ id: 'step-1', name: 'ask_human', arguments: { question: 'Why?' } }] }],
    ['approve Pay', { toolCalls: [{ id: 'step-1', name: 'request_approval', arguments: { title: 'Pay' } }] }],
  ])('performs "%s"', async (line, expected) => {
    expect(await play(script(line, 'say more'), 0)).toMatchObject({ ...expected, scriptPosition: 1 });
  });

  it('performs the line at its position, and finishes with the last text', async () => {
    const model = script('say one', 'tool a', 'say three');
    expect(await play(model, 1)).toMatchObject({
      toolCalls: [{ id: 'step-2', name: 'a' }],
      scriptPosition: 2,
    });
    expect(await play(model, 2)).toMatchObject({
      text: 'three',
      then: { kind: 'finish' },
      scriptPosition: 3,
    });
  });

  it('fills in what it knows, everywhere and once', async () => {
    const messages = [
      user('old'),
      ...called('weather', 'rain'),
      ...called('ask_human', '{"answers":{"Which?":"{{result}}"}}'),
      user('{{answer}}'),
    ];
    const text = await play(script('say {{message}}|{{result}}|{{answer}}|{{other}}'), 0, ...messages);
    expect(text.text).toBe('{{answer}}|rain|{{result}}|{{other}}');
    const tool = await play(
      script('tool a {"{{result}}": [{"b": "is {{result}}"}, 1, null]}'),
      0,
      ...messages,
    );
    expect(tool.toolCalls[0]?.arguments).toEqual({ '{{result}}': [{ b: 'is rain' }, 1, null] });
    const asked = await play(script('ask {{result}}? | {{result}} | no'), 0, ...messages);
    expect(asked.toolCalls[0]?.arguments).toEqual({ question: 'rain?', options: ['rain', 'no'] });
  });

  it('fills in nothing where there is nothing', async () => {
    expect((await play(script('say <{{message}}{{result}}{{answer}}>'), 0)).text).toBe('<>');
  });

  it.each([
    ['{"answers":{"A?":"yes"}}', 'yes'],
    ['{"answers":{"A?":"yes","B?":["red","blue"]}}', 'yes; red; blue'],
    ['{"approved":true}', 'approved'],
    ['{"approved":false,"comment":"too dear"}', 'denied: too dear'],
    ['{"approved":true,"comment":null}', 'approved'],
    ['Error: nobody can be asked', 'Error: nobody can be asked'],
  ])('reads the answer %s', async (result, expected) => {
    const turn = await play(script('say {{answer}}'), 0, ...called('request_approval', result));
    expect(turn.text).toBe(expected);
  });

  it.each(['No block at all.', '```steps\n```'])(
    'answers the message where there are no steps: %j',
    async (text) => {
      const model = new ScriptedModel(text);
      expect(await play(model, 0, user('Hi'))).toMatchObject({
        text: 'I am the built-in scripted model and have no steps to follow. You said: Hi',
        then: { kind: 'finish' },
        scriptPosition: 1,
      });
      expect((await play(model, 0)).text).toBe(
        'I am the built-in scripted model and have no steps to follow. Nobody has sent me a message.',
      );
      expect((await play(model, 1, user('Hi'), said('…'), user('Again'))).text).toContain('You said: Again');
    },
  );

  describe('behind its last line', () => {
    const answer = 'I am the built-in scripted model and have no steps left to follow. You said: More';

    it('finishes without a text if nobody waits for one', async () => {
      const silent = { text: '', toolCalls: [], then: { kind: 'finish' } };
      expect(await play(script('tool a'), 1, user('Hi'), ...called('a', 'ok'))).toMatchObject(silent);
      expect(await play(script('say A', 'wait 1'), 2, user('Hi'), said('A'))).toMatchObject(silent);
    });

    it.each<[string, string, number, ModelMessage[]]>([
      ['that came while a tool ran', 'tool a', 1, [...called('a', 'ok'), user('More')]],
      ['that came while it waited', 'wait 1', 1, [said('A'), user('More')]],
      ['that reopened the run', 'finish A', 1, [said('A'), user('More')]],
      ['that came during the last turn', 'say A', 1, [user('More'), said('A')]],
      ['that came when all was done', 'tool a', 2, [...called('a', 'ok'), user('More')]],
    ])('answers a message %s', async (_when, line, scriptPosition, messages) => {
      const turn = await play(script(line), scriptPosition, user('Hi'), ...messages);
      expect(turn).toMatchObject({
        text: answer,
        then: { kind: 'finish' },
        scriptPosition: scriptPosition + 1,
      });
    });
  });

  it('says which lines are wrong', async () => {
    const turn = play(script('say', 'wait long'), 0);
    await expect(turn).rejects.toBeInstanceOf(InvalidScriptError);
    await expect(turn).rejects.toMatchObject({
      kind: 'permanent',
      message:
        'The steps of the operating procedure are not valid: line 2: say needs a text; line 3: wait needs a whole number of milliseconds.',
    });
  });

  it.each<[string, number]>([
    ['say 12345', 2],
    ['tool a {"b":1}', 2],
    ['fail 1234', 1],
    ['wait 10000', 0],
  ])('counts a token for four characters: %s', async (line, outputTokens) => {
    const { usage } = await play(script(line), 0, user('123456789'));
    expect(usage).toEqual({ inputTokens: 3, outputTokens });
  });
});
