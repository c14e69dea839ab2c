import type { Case, CaseStatus } from '@aos/client';
import { useState } from 'react';
import { useUnsettledCounts } from '../data/lookups/use-case-counts';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { Dialog } from '../ui/dialog';
import { counted } from '../ui/format';
import { Menu } from '../ui/menu';
import { Loaded } from '../ui/states';
import { changeCases, inBatches, type BulkChange } from './bulk-change';
import { settlingNotes, touchedByFilter, touchedOf, type Touched } from './bulk-preview';
import { selectorOf, type CaseSearch } from './case-search';

interface BulkBarProps {
  readonly queueId: string;
  readonly chosen: readonly Case[];
  readonly search: CaseSearch;
  readonly total: number;
  /** Told of those that are done, batch by batch. */
  readonly onDone: (caseIds: readonly string[]) => void;
}

/** Bulk actions on the selected cases, or on all that match the filters. */
export function BulkBar({ queueId, chosen, search, total, onDone }: BulkBarProps) {
  const client = useClient();
  const [wantsAll, setWantsAll] = useState(false);
  const [asked, setAsked] = useState<CaseStatus>();
  const chosenIds = chosen.map(({ case_id: id }) => id);
  const isMore = total > chosen.length;
  const isAll = wantsAll && isMore;
  const howMany = isAll ? total : chosen.length;
  const changeAll = async (change: BulkChange) => {
    const counts = await changeCases(client, { queue_id: queueId, ...selectorOf(search) }, change);
    onDone(chosenIds);
    return counts;
  };
  const changeChosen = (change: BulkChange) =>
    inBatches(chosenIds, async (caseIds) => {
      const counts = await changeCases(client, { queue_id: queueId, case_ids: caseIds }, change);
      onDone(caseIds);
      return counts;
    });
  const { mutate, isPending } = useAction(isAll ? changeAll : changeChosen, {
    stale: [['queue', queueId], ['queues'], ['case']],
    said: ({ changed, skipped }) =>
      `${counted(changed, 'case')} changed${skipped > 0 ? `, ${skipped} left as they were` : ''}.`,
  });
  const cancel = () => setAsked(undefined);
  const settle = (status: CaseStatus) => {
    setAsked(undefined);
    mutate({ kind: 'status', status });
  };
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
          label: `Mark as ${status}…`,
          onSelect: () => setAsked(status),
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
      <ConfirmButton
        label="Work on them again"
        className="button"
        title={`Work on ${counted(howMany, 'case')} again?`}
        confirm="Work on them again"
        disabled={isPending}
        onConfirm={() => mutate({ kind: 'again' })}
      >
        Each is given to an agent anew, in a run of its own. Runs that work on them now are stopped.
      </ConfirmButton>
      <ConfirmButton
        label="Delete"
        title={`Delete ${counted(howMany, 'case')}?`}
        confirm="Delete them"
        disabled={isPending}
        onConfirm={() => mutate({ kind: 'delete' })}
      >
        They are gone for good, and runs that work on them are stopped.
      </ConfirmButton>
      {asked && (
        <Dialog title={`Mark ${counted(howMany, 'case')} as ${asked}?`} onClose={cancel}>
          {isAll ? (
            <AllMatching queueId={queueId} search={search}>
              {(touched) => <Settling touched={touched} onConfirm={() => settle(asked)} onCancel={cancel} />}
            </AllMatching>
          ) : (
            <Settling touched={touchedOf(chosen)} onConfirm={() => settle(asked)} onCancel={cancel} />
          )}
        </Dialog>
      )}
    </div>
  );
}

interface AllMatchingProps {
  readonly queueId: string;
  readonly search: CaseSearch;
  readonly children: (touched: Touched) => React.ReactNode;
}

function AllMatching({ queueId, search, children }: AllMatchingProps) {
  const counts = useUnsettledCounts(queueId, search.search);
  return <Loaded query={counts}>{(known) => children(touchedByFilter(search, known))}</Loaded>;
}

interface SettlingProps {
  readonly touched: Touched;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

function Settling({ touched, onConfirm, onCancel }: SettlingProps) {
  const notes = settlingNotes(touched);
  return (
    <>
      {notes.length > 0 ? (
        <ul className="listed">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : (
        <p className="quiet">No agent works on them.</p>
      )}
      <div className="foot">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" className="button primary" onClick={onConfirm}>
          Mark them
        </button>
      </div>
    </>
  );
}
