import type { Run } from '@aos/client';

/** By it a run that was started to try a revision is told from the others. */
export const playgroundMark = { started_in: 'playground' } as const;

export function isFromPlayground({ metadata }: Pick<Run, 'metadata'>): boolean {
  return metadata['started_in'] === playgroundMark.started_in;
}
