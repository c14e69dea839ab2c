import { caseText } from './case.mapper.js';

describe('what is searched of a case', () => {
  it('is its title and the values of its data, in order and folded', () => {
    const data = {
      customer: { name: 'Ärger & Co', id: 4711 },
      items: ['Бумага', null, true, { note: '紙' }],
    };
    expect(caseText('Rechnung ÜBERFÄLLIG', data)).toBe('rechnung überfällig\närger & co\n4711\nбумага\n紙');
  });

  it('is the title alone where the data has no values', () => {
    for (const data of [null, undefined, true, {}, [[]]]) expect(caseText('Title', data)).toBe('title');
  });

  it('takes data that is deep', () => {
    let data: unknown = 'at the bottom';
    for (let depth = 0; depth < 100_000; depth += 1) data = [data];
    expect(caseText('Title', data)).toBe('title\nat the bottom');
  });

  it('takes data that is wide', () => {
    const data = Array.from({ length: 500_000 }, (_, index) => index % 10);
    expect(caseText('Title', data)).toBe(`title\n${data.join('\n')}`);
  });
});
