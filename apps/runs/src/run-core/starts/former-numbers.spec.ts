import { formerNumbers } from './run-numbering.js';

describe('numbers of runs that were made without one', () => {
  it('are those that are kept for them, by age', () => {
    expect(formerNumbers({ last: 9, former: 5, former_given: 0 }, 3)).toEqual({
      numbers: [1, 2, 3],
      counter: { last: 9, former: 5, former_given: 3 },
    });
  });

  it('follow those of all other runs once the kept ones are given', () => {
    expect(formerNumbers({ last: 9, former: 5, former_given: 4 }, 3)).toEqual({
      numbers: [5, 10, 11],
      counter: { last: 11, former: 5, former_given: 5 },
    });
    expect(formerNumbers({ last: 0, former: 0, former_given: 0 }, 2)).toEqual({
      numbers: [1, 2],
      counter: { last: 2, former: 0, former_given: 0 },
    });
  });
});
