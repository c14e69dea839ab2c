import { benchWish } from './bench-wish.js';

const known = ['requests', 'runs', 'cases'];

describe('benchWish', () => {
  it('is everything where nothing is named', () => {
    expect(benchWish([], known)).toEqual({ parts: known, peers: false, quick: false });
    expect(benchWish(['--profile'], known)).toEqual({ parts: known, peers: false, quick: false });
  });

  it('is what is named, in the order in which it is measured', () => {
    expect(benchWish(['cases', '--profile', 'requests'], known)).toMatchObject({
      parts: ['requests', 'cases'],
    });
  });

  it('is the comparison with the peers', () => {
    expect(benchWish(['--peers'], known)).toMatchObject({ peers: true, quick: false });
    expect(benchWish(['--peers', '--quick', '--profile'], known)).toMatchObject({ peers: true, quick: true });
  });

  it.each([
    [['nothing', 'runs'], 'There is no part nothing; there are requests, runs, cases.'],
    [['--peer'], 'There is no part --peer; there are requests, runs, cases.'],
    [['--peers', 'runs'], '--peers is measured alone, without runs.'],
    [['--quick'], '--quick is for --peers only.'],
  ])('tells what is wrong with %j', (words, problem) => {
    expect(benchWish(words, known)).toBe(problem);
  });
});
