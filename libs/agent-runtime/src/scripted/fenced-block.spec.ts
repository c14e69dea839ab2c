import { findFencedBlock } from './fenced-block.js';

/** The lines, and how often one of them was read. */
function counted(given: readonly string[]) {
  const read = { times: 0 };
  const lines = new Proxy(given, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) read.times += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  return { lines, read };
}

describe('findFencedBlock', () => {
  it.each([
    ['a carriage return', '\r'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
  ])('reads what follows a fence to its end, %s too', (_name, character) => {
    const block = { firstLine: 0, lastLine: 2, closed: true, content: ['say Hi'] };
    expect(findFencedBlock([`~~~steps${character}b`, 'say Hi', '~~~'], 'steps')).toEqual(block);
    expect(findFencedBlock([`\`\`\`steps${character}\`b`, 'say Hi', '```'], 'steps')).toBeUndefined();
  });

  it.each(['~', '`'])('tries nothing twice in a line of many %s', (mark) => {
    const fence = mark.repeat(20_000);
    const lines = [`${fence}\rb`, '```steps', '~~~steps', fence, '~~~steps', 'say Hi', '~~~'];
    expect(findFencedBlock(lines, 'steps')).toMatchObject({ firstLine: 4, content: ['say Hi'] });
    expect(findFencedBlock([`${fence}steps${' '.repeat(20_000)}\r`], 'steps')).toMatchObject({
      firstLine: 0,
    });
    expect(findFencedBlock(['```steps', `${fence}${' '.repeat(20_000)}\r`], 'steps')?.closed).toBe(false);
  });

  it('looks for the end of a block behind its beginning only', () => {
    const blocks = Array.from({ length: 500 }, () => ['```', '```']).flat();
    const { lines, read } = counted([...blocks, '```steps', 'say Hi', '```']);
    expect(findFencedBlock(lines, 'steps')).toMatchObject({
      firstLine: 1_000,
      lastLine: 1_002,
      closed: true,
    });
    expect(read.times).toBeLessThan(2 * lines.length);
  });
});
