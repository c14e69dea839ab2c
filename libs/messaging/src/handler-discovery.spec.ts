import { assertExactlyOne } from './handler-discovery.js';

const check = (declared: string[], handled: string[]) => () =>
  assertExactlyOne({ what: 'job of runs', declared, handled });

describe('assertExactlyOne', () => {
  it.each([
    [[], []],
    [['a'], ['a']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
  ])('accepts one handler for each (%j, %j)', (declared, handled) => {
    expect(check(declared, handled)).not.toThrow();
  });

  it.each([
    [['a'], [], 'a has no handler'],
    [[], ['a'], 'a is not declared'],
    [['a'], ['a', 'a'], 'a has two handlers'],
    [['a'], ['a', 'a', 'a'], 'a has two handlers'],
    [['constructor'], [], 'constructor has no handler'],
  ])('refuses %j handled by %j', (declared, handled, problem) => {
    expect(check(declared, handled)).toThrow(`Each job of runs needs exactly one handler: ${problem}`);
  });

  it('names all problems at once, each once', () => {
    expect(check(['a', 'b'], ['b', 'b', 'b', 'c'])).toThrow(
      'Each job of runs needs exactly one handler: a has no handler, c is not declared, b has two handlers',
    );
  });
});
