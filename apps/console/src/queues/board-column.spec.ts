import type { Case } from '@aos/client';
import { columnOf, pendingColumn } from './board-column';

async function* cases(...parts: readonly (readonly [Case['display_status'], number])[]) {
  for (const [display_status, many] of parts) {
    for (let number = 0; number < many; number += 1) {
      yield { case_id: `${display_status}-${number}`, display_status } as Case;
    }
  }
}

describe('a column of the board', () => {
  it('has those that nobody works on yet, behind however many that are worked on', async () => {
    const column = await pendingColumn(cases(['in_progress', 120], ['pending', 3]));
    expect(column.here.map(({ case_id: id }) => id)).toEqual(['pending-0', 'pending-1', 'pending-2']);
    expect(column).toMatchObject({ count: '3', isMore: false });
  });

  it('says that there are more than it shows, and looks no further', async () => {
    expect(await pendingColumn(cases(['pending', 51]))).toMatchObject({ count: '50+', isMore: true });
    expect(await pendingColumn(cases(['pending', 50]))).toMatchObject({ count: '50', isMore: false });
    expect(await pendingColumn(cases(['postponed', 5_000]))).toMatchObject({ count: '0+', isMore: true });
  });

  it('tells how many there are, where the service does', () => {
    expect(columnOf({ cases: [{} as Case], total: 12_345 })).toMatchObject({ count: '12,345', isMore: true });
  });
});
