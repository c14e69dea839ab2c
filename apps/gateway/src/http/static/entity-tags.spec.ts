import { isUnchanged } from './entity-tags.js';

describe('isUnchanged', () => {
  it.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', '*', ' * '])('%s has "a"', (header) => {
    expect(isUnchanged(header, '"a"')).toBe(true);
  });

  it.each([undefined, '', 'a', '"b"', '"a', '"A"', '"a-br"'])('%j has it not', (header) => {
    expect(isUnchanged(header, '"a"')).toBe(false);
  });
});
