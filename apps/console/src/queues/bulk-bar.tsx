import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { counted } from '../ui/format';
import { Menu } from '../ui/menu';
import { changeCases, inBatches, type BulkChange } from './bulk-change';
import { selectorOf, type CaseSearch } from './case-search';

interface BulkBarProps {
  readonly queueId: string;
  readonly chosen: readonly string[];
  readonly search: CaseSearch;
  readonly total: number;
  /** Told of those that are done, batch by batch. */
  readonly onDone: (caseIds: readonly string[]) => void;
}

/** What can be done with many cases: those that are chosen, or all that the filters name. */
export function BulkBar({ queueId, chosen, search, total, onDone }: BulkBarProps) {
  const client = useClient();
  const [wantsAll, setWantsAll] = useState(false);
  const isMore = total > chosen.length;
  const isAll = wantsAll && isMore;
  const howMany = isAll ? total : chosen.length;
  const changeAll = async (change: BulkChange) => {
    const counts = await changeCases(client, { queue_id: queueId, ...selectorOf(search) }, change);
    onDone(chosen);
    return counts;
  };
  const changeChosen = (change: BulkChange) =>
    inBatches(chosen, async (caseIds) => {
      const counts = await changeCases(client, { queue_id: queueId, case_ids: caseIds }, change);
      onDone(caseIds);
      return counts;
    });
  const { mutate, isPending } = useAction(isAll ? changeAll : changeChosen, {
    stale: [['queue', queueId], ['queues'], ['case']],
    said: ({ changed, skipped }) =>
      `${counted(changed, 'case')} changed${skipped > 0 ? `, ${skipped} left as they were` : ''}.`,
  });
  return (
    <div className="banner" role="region" aria-label="Chosen cases">
      <strong>{counted(howMany, 'case')}</strong>
      {isMore && (
        <label className="row small">
          <input
            type="checkbox"
            checked={isAll}
            disabled={isPending}
            onChange={({ target }) => setWantsAll(target.checked)}
          />
          all {total} that match
        </label>
      )}
      <Menu
        label="Status"
        disabled={isPending}
        items={(['completed', 'failed'] as const).map((status) => ({
          label: `Make it ${status}`,
          onSelect: () => mutate({ kind: 'status', status }),
        }))}
      />
      <Menu
        label="Priority"
        disabled={isPending}
        items={(['high', 'medium', 'none'] as const).map((priority) => ({
          label: priority,
          onSelect: () => mutate({ kind: 'priority', priority }),
        }))}
      />
      <button type="button" className="button" disabled={isPending} onClick={() => mutate({ kind: 'again' })}>
        Work on them again
      </button>
      <ConfirmButton
        label="Delete"
        title={`Delete ${counted(howMany, 'case')}?`}
        confirm="Delete them"
        disabled={isPending}
        onConfirm={() => mutate({ kind: 'delete' })}
      >
        They are gone for good, and runs that work on them are stopped.
      </ConfirmButton>
    </div>
  );
}
