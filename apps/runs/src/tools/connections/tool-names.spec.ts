import { slugOf, toolNames } from './tool-names.js';

const namesOf = (slug: string, ...tools: string[]) => toolNames([tools.map((tool) => ({ slug, tool }))])[0]!;

describe('the slug of a connection', () => {
  it.each([
    ['Our tools', 'our_tools'],
    ['GitHub', 'github'],
    ['  Büro & Café №1  ', 'buro_cafe_no1'],
    ['a__b--c', 'a_b_c'],
    ['日本', 'connection'],
    ['', 'connection'],
  ])('of "%s" is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});

describe('the names of tools', () => {
  it('are those of their servers behind the slug, in letters that providers take', () => {
    expect(namesOf('ours', 'get-sum', 'Files.read/all', 'größe', '')).toEqual([
      'ours__get-sum',
      'ours__Files_read_all',
      'ours__gr__e',
      'ours___',
    ]);
  });

  it('are told apart by a number, within a connection and between two', () => {
    const tools = [
      [
        { slug: 'ours', tool: 'a_b' },
        { slug: 'ours', tool: 'a.b' },
      ],
      [{ slug: 'ours', tool: 'a_b' }],
    ];
    expect(toolNames(tools)).toEqual([['ours__a_b_2', 'ours__a_b'], ['ours__a_b_3']]);
  });

  it('do not depend on the order in which a server lists its tools', () => {
    const [first, second, third] = namesOf('ours', 'a b', 'a.b', 'a_b');
    expect(namesOf('ours', 'a_b', 'a b', 'a.b')).toEqual([third, first, second]);
  });

  it('are at most 64 characters long, and one for each tool all the same', () => {
    const long = 'x'.repeat(100);
    const names = namesOf('s'.repeat(60), 'short', `${long}1`, `${long}2`, 'y'.repeat(46), 'y'.repeat(47));
    expect(names.map(({ length }) => length)).toEqual([64, 64, 64, 64, 64]);
    expect(new Set(names).size).toBe(5);
    expect(names[0]).toBe(`${'s'.repeat(57)}__short`);
    expect(names[3]).toBe(`${'s'.repeat(16)}__${'y'.repeat(46)}`);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]+$/);
  });

  it('keep their number when they are as long as they may be', () => {
    const names = toolNames([
      [{ slug: 'a', tool: 'z'.repeat(61) }],
      [{ slug: 'a', tool: 'z'.repeat(61) }],
    ]).flat();
    expect(names).toEqual([`a__${'z'.repeat(61)}`, `a__${'z'.repeat(59)}_2`]);
  });
});
