import type { Run } from '@aos/client';
import { isFromPlayground } from './playground';

export function RunTags({ run }: { run: Pick<Run, 'metadata' | 'status' | 'eval_summary'> }) {
  return (
    <>
      {isFromPlayground(run) && <span className="tag">playground</span>}
      {/* A run that failed has an issue anyway. */}
      {run.eval_summary?.has_issues && run.status !== 'failed' && <span className="tag">issues</span>}
    </>
  );
}
