import { titleOf } from './new-run.js';

describe('titleOf', () => {
  it.each([
    [null, 'Agent', 'Agent'],
    ['', 'Agent', 'Agent'],
    ['  \n \n', 'Agent', 'Agent'],
    ['Pay the bill', 'Agent', 'Pay the bill'],
    ['\n\n  Pay the bill \nand more', 'Agent', 'Pay the bill'],
    ['x'.repeat(120), 'Agent', 'x'.repeat(120)],
    ['x'.repeat(121), 'Agent', `${'x'.repeat(119)}…`],
    ['👍'.repeat(200), 'Agent', `${'👍'.repeat(119)}…`],
  ])('of %j', (message, name, title) => {
    expect(titleOf(message, name)).toBe(title);
  });
});
