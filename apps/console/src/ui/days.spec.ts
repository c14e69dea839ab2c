import { everyDay, shortDay } from './days';

describe('the days of a chart', () => {
  it('are all of them, also those without anything, over the end of a month', () => {
    const known = [
      { label: '2026-02-27', value: 3 },
      { label: '2026-03-01', value: 5, part: 1 },
    ];
    expect(everyDay('2026-02-26', '2026-03-02', known)).toEqual([
      { label: '2026-02-26', value: 0 },
      { label: '2026-02-27', value: 3 },
      { label: '2026-02-28', value: 0 },
      { label: '2026-03-01', value: 5, part: 1 },
      { label: '2026-03-02', value: 0 },
    ]);
    expect(everyDay('2026-03-02', '2026-03-01', known)).toEqual([]);
  });

  it('are named as people name them, in UTC', () => {
    expect(['2026-11-19', '2026-01-01'].map(shortDay)).toEqual(['19 Nov', '1 Jan']);
  });
});
