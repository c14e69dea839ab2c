import type { UnsettledCounts } from '../data/lookups/unsettled-counts';
import { counted } from '../ui/format';

/** Describes the effect of assigning an agent to a queue. */
export function workPreview({ waiting, postponed, in_progress, needs_input }: UnsettledCounts): string[] {
  const taken = in_progress + needs_input;
  return [
    waiting === 0
      ? 'No case waits now.'
      : `${counted(waiting, 'case waits', 'cases wait')}: ${counted(waiting, 'run starts', 'runs start')}, one after the other as there is room.`,
    ...(postponed > 0
      ? [
          postponed === 1
            ? '1 case is postponed: its run starts when its time comes.'
            : `${counted(postponed, 'case')} are postponed: their runs start when their time comes.`,
        ]
      : []),
    ...(taken > 0 ? [`${counted(taken, 'case is', 'cases are')} being worked on already.`] : []),
    'Each case that is added from now on starts a run.',
  ];
}
