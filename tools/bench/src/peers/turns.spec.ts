import { inTurn } from './turns.js';

describe('inTurn', () => {
  it('begins each round with another', () => {
    const rounds = [0, 1, 2, 3].map((round) => inTurn(['a', 'b', 'c'], round).join(''));
    expect(rounds).toEqual(['abc', 'bca', 'cab', 'abc']);
  });

  it('has nobody in turn where there is nobody', () => {
    expect(inTurn([], 3)).toEqual([]);
  });
});
