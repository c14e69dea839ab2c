import { settlingNotes, touchedByFilter, touchedOf } from './bulk-preview';
import { statusLabel } from './case-search';

const unsettled = { all: 20, waiting: 9, in_progress: 3, needs_input: 2, postponed: 6 };

describe('the preview of a change of many cases', () => {
  it('tells of the runs that it stops, of those that were chosen', () => {
    const touched = touchedOf([
      { display_status: 'pending' },
      { display_status: 'in_progress' },
      { display_status: 'completed' },
    ]);
    expect(settlingNotes(touched)).toEqual(['1 case is being worked on: its run is stopped.']);
  });

  it.each([
    [undefined, { atWork: 5, postponed: 6 }],
    // The service takes it for all that are not settled.
    ['pending', { atWork: 5, postponed: 6 }],
    ['in_progress', { atWork: 3, postponed: 0 }],
    ['needs_input', { atWork: 2, postponed: 0 }],
    ['postponed', { atWork: 0, postponed: 6 }],
    ['failed', { atWork: 0, postponed: 0 }],
  ] as const)('tells of those that the filter %s names', (status, touched) => {
    expect(touchedByFilter({ status }, unsettled)).toEqual(touched);
  });

  it('is empty where nothing else happens', () => {
    expect(settlingNotes({ atWork: 0, postponed: 0 })).toEqual([]);
  });
});

describe('the filter by status', () => {
  it('does not call pending what is being worked on or put off too', () => {
    expect(statusLabel('pending')).toBe('Not settled');
    expect(statusLabel('needs_input')).toBe('Needs input');
  });
});
