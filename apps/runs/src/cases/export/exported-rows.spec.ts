import { maxColumns } from './csv-columns.js';
import { NeededColumns } from './exported-rows.js';

const data = (name: string) => ({ kind: 'data' as const, name, times: 1 });
const label = (name: string, times: number) => ({ kind: 'label' as const, name, times });

describe('the columns that a file needs', () => {
  it('are those of all its parts, in order, and a label’s as often as any case has it', () => {
    const columns = new NeededColumns();
    columns.add([data('b'), label('region', 1), label('kind', 2)]);
    columns.add([data('a'), data('b'), label('region', 3), label('kind', 1)]);
    expect(columns.sorted()).toEqual({
      labels: ['kind', 'kind', 'region', 'region', 'region'],
      data: ['a', 'b'],
    });
  });

  it('are gathered on from those of the parts before', () => {
    const before = { labels: ['kind', 'kind', 'region'], data: ['b'] };
    const columns = new NeededColumns(before);
    columns.add([data('a'), label('kind', 1), label('region', 2)]);
    expect(columns.sorted()).toEqual({ labels: ['kind', 'kind', 'region', 'region'], data: ['a', 'b'] });
    expect(before).toEqual({ labels: ['kind', 'kind', 'region'], data: ['b'] });
  });

  it('may be too many', () => {
    const columns = new NeededColumns();
    columns.add(Array.from({ length: maxColumns - 2 }, (_, n) => data(`name ${n}`)));
    columns.add([label('kind', 2)]);
    expect(columns.areTooMany).toBe(false);
    columns.add([label('kind', 3)]);
    expect(columns.areTooMany).toBe(true);
  });
});
