import { tableLines } from './table.js';

interface Row {
  readonly name: string;
  readonly count: number | null;
}

const columns = [
  { title: 'NAME', value: ({ name }: Row) => name, width: 10 },
  { title: 'COUNT', value: ({ count }: Row) => count },
];

describe('tableLines', () => {
  it('puts columns under each other', () => {
    expect(
      tableLines(
        [
          { name: 'one', count: 1 },
          { name: 'eleven', count: null },
        ],
        columns,
      ),
    ).toEqual(['NAME    COUNT', 'one     1', 'eleven  –']);
  });

  it('keeps each row on its line, and lets no text reach the terminal', () => {
    const lines = tableLines(
      [
        { name: 'a\n\u001b[2Jb', count: 1 },
        { name: 'a very long name', count: 2 },
      ],
      columns,
    );
    expect(lines).toEqual(['NAME        COUNT', 'a \ufffd[2Jb     1', 'a very lo…  2']);
  });
});
