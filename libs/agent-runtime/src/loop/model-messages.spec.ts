import { call } from '../../test/turns.js';
import type { LoopMessage } from './journal.js';
import { firstOpenCall, resultText, toModelMessages } from './model-messages.js';

const user = (text: string): LoopMessage => ({ type: 'text', role: 'user', text });
const said = (text: string): LoopMessage => ({ type: 'text', role: 'assistant', text });
const calls = (id: string): LoopMessage => ({
  type: 'tool_call',
  role: 'assistant',
  toolCall: call(id, 'look'),
});
const result = (toolCallId: string, value: unknown = 'ok'): LoopMessage => ({
  type: 'tool_result',
  role: 'tool',
  toolResult: { toolCallId, result: value },
});
const thinking: LoopMessage = { type: 'thinking', role: 'assistant', text: 'hm' };
const asked: LoopMessage = { type: 'human_request', role: 'assistant', text: 'Which?' };
const system: LoopMessage = { type: 'system', role: 'system', text: 'note' };

/** A conversation in short: who, and what. */
function shown(...messages: LoopMessage[]): string[] {
  return toModelMessages(messages).map((message) => {
    if (message.role === 'user') return `user ${message.text}`;
    if (message.role === 'tool') return `${message.toolCallId} ${message.toolName} = ${message.result}`;
    return ['assistant', message.text, ...(message.toolCalls ?? []).map(({ id }) => `(${id})`)]
      .filter(Boolean)
      .join(' ');
  });
}

describe('toModelMessages', () => {
  it('makes one message of a turn, followed by its results', () => {
    expect(
      shown(
        user('Hi'),
        thinking,
        said('Looking'),
        calls('a'),
        calls('b'),
        result('a'),
        asked,
        result('b', { c: 1 }),
      ),
    ).toEqual(['user Hi', 'assistant Looking (a) (b)', 'a look = ok', 'b look = {"c":1}']);
  });

  it('keeps turns apart', () => {
    expect(shown(user('Hi'), calls('a'), result('a'), calls('b'), result('b'), said('Done'))).toEqual([
      'user Hi',
      'assistant (a)',
      'a look = ok',
      'assistant (b)',
      'b look = ok',
      'assistant Done',
    ]);
    expect(shown(user('Hi'), said('One'), thinking, calls('a'), result('a'))).toEqual([
      'user Hi',
      'assistant One',
      'assistant (a)',
      'a look = ok',
    ]);
  });

  it('puts a message that came between a call and its result behind the result', () => {
    expect(shown(calls('a'), calls('b'), result('a'), user('Stop'), system, result('b'))).toEqual([
      'assistant (a) (b)',
      'a look = ok',
      'b look = ok',
      'user Stop',
    ]);
  });

  it('says of a call without a result that it was not finished', () => {
    expect(shown(user('Hi'), calls('a'), user('Go on'))).toEqual([
      'user Hi',
      'assistant (a)',
      'a look = Error: The call was not finished.',
      'user Go on',
    ]);
  });

  it('puts messages that came while the last text was made behind it', () => {
    expect(shown(user('Hi'), calls('a'), result('a'), user('And?'), user('So?'), said('Done'))).toEqual([
      'user Hi',
      'assistant (a)',
      'a look = ok',
      'assistant Done',
      'user And?',
      'user So?',
    ]);
    expect(shown(user('Hi'), user('And?'), said('Done'))).toEqual(['user Hi', 'assistant Done', 'user And?']);
  });

  it.each([
    [[user('Hi'), said('Done')]],
    [[said('Done')]],
    [[said('One'), said('Two')]],
    [[user('Hi'), said('One'), user('And?')]],
    [[user('Hi'), user('And?')]],
    [[]],
  ])('leaves other ends alone', (messages) => {
    expect(shown(...messages)).toEqual(messages.map(({ role, text }) => `${role} ${text}`));
  });

  it('leaves out empty texts', () => {
    expect(shown(user(''), said(''), user('Hi'))).toEqual(['user Hi']);
  });
});

describe('resultText', () => {
  it.each([
    [{ result: 'plain' }, 'plain'],
    [{ result: ['a'] }, '["a"]'],
    [{ result: null }, 'null'],
    [{}, 'null'],
    [{ error: 'no' }, 'Error: no'],
  ])('%j', (given, text) => {
    expect(resultText(given)).toBe(text);
  });
});

describe('firstOpenCall', () => {
  it.each<[string, LoopMessage[], string | undefined]>([
    ['none was made', [user('Hi'), said('Hello')], undefined],
    ['all have ended', [calls('a'), result('a')], undefined],
    ['none has ended', [said('Looking'), calls('a'), calls('b')], 'a'],
    ['one has ended', [calls('a'), calls('b'), result('a')], 'b'],
    ['the second ended first', [calls('a'), calls('b'), asked, result('b')], 'a'],
    ['a message came since', [calls('a'), user('And?')], 'a'],
    ['only an earlier turn left one', [calls('a'), user('And?'), calls('b'), result('b')], undefined],
    ['the newest turn is a text', [calls('a'), user('And?'), said('Well')], undefined],
  ])('when %s', (_when, messages, id) => {
    expect(firstOpenCall(messages)?.id).toBe(id);
  });
});
