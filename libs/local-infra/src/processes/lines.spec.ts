import { lineSplitter, outputTail } from './lines.js';

describe('lineSplitter', () => {
  it('joins the parts of a line and flushes what has no end', () => {
    const seen: string[] = [];
    const splitter = lineSplitter((line) => seen.push(line));
    splitter.push('a\nb');
    splitter.push('c\n\nd');
    expect(seen).toEqual(['a', 'bc', '']);
    splitter.flush();
    splitter.flush();
    expect(seen).toEqual(['a', 'bc', '', 'd']);
  });
});

describe('outputTail', () => {
  it('keeps the last lines only', () => {
    const tail = outputTail(() => undefined, 2);
    tail.push('1\n2\n3\n4');
    expect(tail.text()).toBe('3\n4');
  });
});
