import { splitUnsettled } from '../data/lookups/unsettled-counts';
import { workPreview } from './work-preview';

describe('the preview of work on a queue', () => {
  it('says how many runs start now, later, and not', () => {
    const counts = splitUnsettled(127, { in_progress: 3, needs_input: 2, postponed: 1 });
    expect(workPreview(counts)).toEqual([
      '121 cases wait: 121 runs start, one after the other as there is room.',
      '1 case is postponed: its run starts when its time comes.',
      '5 cases are being worked on already.',
      'Each case that is added from now on starts a run.',
    ]);
  });

  it('says that none starts', () => {
    const counts = splitUnsettled(0, { in_progress: 0, needs_input: 0, postponed: 0 });
    expect(workPreview(counts)).toEqual([
      'No case waits now.',
      'Each case that is added from now on starts a run.',
    ]);
  });

  it('is never of less than none, though cases move while they are counted', () => {
    expect(splitUnsettled(1, { in_progress: 2, needs_input: 0, postponed: 0 }).waiting).toBe(0);
  });
});
