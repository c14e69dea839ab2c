import { columnMeaning, previewCsv } from './csv-preview';

describe('the preview of an import', () => {
  it('reads quotes, commas and lines within fields', () => {
    expect(previewCsv('\uFEFFtitle,note\r\n"Lamp, broken","says ""hello""\nand more"\nChair,\n')).toEqual({
      header: ['title', 'note'],
      rows: [
        ['Lamp, broken', 'says "hello"\nand more'],
        ['Chair', ''],
      ],
    });
  });

  it('shows the first rows of a long file', () => {
    const text = `title\n${Array.from({ length: 100 }, (_, index) => `case ${index}`).join('\n')}`;
    expect(previewCsv(text, 3).rows).toEqual([['case 0'], ['case 1'], ['case 2']]);
  });

  it('says what is wrong with the whole', () => {
    expect(previewCsv('').problem).toContain('empty');
    expect(previewCsv('name\nLamp').problem).toContain('title');
  });

  it('says what becomes of a column', () => {
    expect(['title', 'priority', 'postponed_to', 'label:team', 'order'].map(columnMeaning)).toEqual([
      'Title',
      'Priority',
      'Not before',
      'Label team',
      'Data',
    ]);
  });
});
