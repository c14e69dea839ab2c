import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { counted } from '../ui/format';
import { Menu } from '../ui/menu';
import { selectorOf, type CaseSearch } from './case-search';

const mostAtOnce = 100;

interface BulkBarProps {
  readonly queueId: string;
  readonly chosen: readonly string[];
  readonly search: CaseSearch;
  readonly total: number;
  readonly onDone: () => void;
}

/** What can be done with many cases: those that are chosen, or all that the filters name. */
export function BulkBar({ queueId, chosen, search, total, onDone }: BulkBarProps) {
  const client = useClient();
  const [wantsAll, setWantsAll] = useState(false);
  const finish = (changed: number, skipped: number) =>
    `${counted(changed, 'case')} changed${skipped > 0 ? `, ${skipped} left as they were` : ''}.`;
  const done = { stale: [['queue', queueId], ['queues'], ['case']], onDone };
  const remove = useAction(client.bulkDeleteCases, {
    ...done,
    said: (answer) => finish(answer.deleted_count, answer.skipped_count),
  });
  const again = useAction(client.bulkReprocessCases, {
    ...done,
    said: (answer) => finish(answer.reprocessed_count, answer.skipped_count),
  });
  const settle = useAction(client.bulkUpdateCaseStatus, {
    ...done,
    said: (answer) => finish(answer.updated_count, answer.skipped_count),
  });
  const rank = useAction(client.bulkUpdateCasePriority, {
    ...done,
    said: (answer) => finish(answer.updated_count, answer.skipped_count),
  });
  const isMore = total > chosen.length;
  const isAll = wantsAll && isMore;
  const which = {
    queue_id: queueId,
    ...(isAll ? selectorOf(search) : { case_ids: chosen.slice(0, mostAtOnce) }),
  };
  const howMany = isAll ? total : Math.min(chosen.length, mostAtOnce);
  return (
    <div className="banner" role="region" aria-label="Chosen cases">
      <strong>{counted(howMany, 'case')}</strong>
      {isMore && (
        <label className="row small">
          <input type="checkbox" checked={isAll} onChange={({ target }) => setWantsAll(target.checked)} />
          all {total} that match
        </label>
      )}
      <Menu
        label="Status"
        items={(['completed', 'failed'] as const).map((status) => ({
          label: `Make it ${status}`,
          onSelect: () => settle.mutate({ ...which, status }),
        }))}
      />
      <Menu
        label="Priority"
        items={(['high', 'medium', 'none'] as const).map((priority) => ({
          label: priority,
          onSelect: () => rank.mutate({ ...which, priority }),
        }))}
      />
      <button type="button" className="button" disabled={again.isPending} onClick={() => again.mutate(which)}>
        Work on them again
      </button>
      <ConfirmButton
        label="Delete"
        title={`Delete ${counted(howMany, 'case')}?`}
        confirm="Delete them"
        disabled={remove.isPending}
        onConfirm={() => remove.mutate(which)}
      >
        They are gone for good, and runs that work on them are stopped.
      </ConfirmButton>
    </div>
  );
}
