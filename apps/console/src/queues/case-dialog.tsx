import type { Case, CaseEvent, CaseStatus, Run } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Timeline } from '../runs/timeline-view';
import { useFollowedRun, useRun } from '../runs/use-run';
import '../runs/runs.css';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton, DeleteButton } from '../ui/confirm';
import { LineForm } from '../ui/controls';
import { Dialog } from '../ui/dialog';
import { words } from '../ui/format';
import { JsonView } from '../ui/json-view';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Moment } from '../ui/time';
import { CaseLabel } from './case-label';

/** A case: what it is and what happened to it, beside the run that works or worked on it. */
export function CaseDialog({ caseId, onClose }: { caseId: string; onClose: () => void }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['case', caseId, 'head'],
    queryFn: () => client.getCase({ case_id: caseId }),
  });
  return (
    <Dialog title={query.data?.case.title ?? 'Case'} large onClose={onClose}>
      <Loaded query={query}>
        {({ case: one, events }) => (
          <div className="case-layout">
            <div className="stack">
              <CaseActions one={one} onClose={onClose} />
              <Labels one={one} />
              {one.postponed_to && (
                <p className="quiet">
                  Not before <Moment at={one.postponed_to} />
                </p>
              )}
              <JsonView name="Data" value={one.data} />
              <History events={events} />
            </div>
            <CaseRun caseId={caseId} />
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

function CaseActions({ one, onClose }: { one: Case; onClose: () => void }) {
  const client = useClient();
  const mayWrite = useMay()('queues:write');
  const stale = [['case', one.case_id], ['queue', one.queue_id], ['queues']];
  const update = useAction(client.updateCase, { stale, said: 'The case is changed.' });
  const remove = useAction(client.deleteCase, { stale, said: 'The case is deleted.', onDone: onClose });
  const isBusy = update.isPending || remove.isPending;
  const isAtWork = ['in_progress', 'needs_input'].includes(one.display_status);
  const settle = (status: CaseStatus) => update.mutate({ case_id: one.case_id, status });
  return (
    <div className="row">
      <Status of={one.display_status} />
      {one.priority !== 'none' && <span className="tag">{one.priority}</span>}
      {mayWrite && (
        <>
          {one.status !== 'pending' ? (
            <button
              type="button"
              className="button small"
              disabled={isBusy}
              onClick={() => settle('pending')}
            >
              Work on it again
            </button>
          ) : isAtWork ? (
            <ConfirmButton
              label="Complete it"
              className="button small"
              title="Complete this case?"
              confirm="Complete it"
              disabled={isBusy}
              onConfirm={() => settle('completed')}
            >
              The run that works on it is stopped.
            </ConfirmButton>
          ) : (
            <button
              type="button"
              className="button small"
              disabled={isBusy}
              onClick={() => settle('completed')}
            >
              Complete it
            </button>
          )}
          <DeleteButton
            of="this case"
            disabled={isBusy}
            onConfirm={() => remove.mutate({ case_id: one.case_id })}
          >
            The run that works on it is stopped.
          </DeleteButton>
        </>
      )}
    </div>
  );
}

function Labels({ one }: { one: Case }) {
  const client = useClient();
  const mayWrite = useMay()('queues:write');
  const [text, setText] = useState('');
  const stale = [
    ['case', one.case_id],
    ['queue', one.queue_id],
  ];
  const ids = { queue_id: one.queue_id, case_id: one.case_id };
  const link = useAction(client.linkCaseLabels, { stale, onDone: () => setText('') });
  const unlink = useAction(client.unlinkCaseLabels, { stale });
  const submit = () => {
    const [key = '', ...rest] = text.split(':');
    link.mutate({ ...ids, labels: [{ key: key.trim(), value: rest.join(':').trim() }] });
  };
  return (
    <div className="row">
      {one.labels.map((label) => (
        <span key={label.id} className="row">
          <CaseLabel label={label} />
          {mayWrite && (
            <button
              type="button"
              className="button plain small"
              aria-label={`Remove ${label.key}: ${label.value}`}
              disabled={unlink.isPending}
              onClick={() => unlink.mutate({ ...ids, label_ids: [label.label_id] })}
            >
              ✕
            </button>
          )}
        </span>
      ))}
      {mayWrite && (
        <LineForm
          label="Label, as key: value"
          placeholder="key: value"
          value={text}
          onChange={setText}
          submit="Label it"
          className="button small"
          disabled={link.isPending}
          onSubmit={submit}
        />
      )}
    </div>
  );
}

function History({ events }: { events: readonly CaseEvent[] }) {
  return (
    <div className="stack tight">
      <h3>History</h3>
      <ol className="stack tight">
        {events.map(({ id, type, actor, reason, created_at: at }) => (
          <li key={id} className="small">
            <strong>{words(type)}</strong> by{' '}
            {actor.type === 'run' ? 'its run' : actor.type === 'system' ? 'the service' : 'a credential'}
            {reason && <>: {reason}</>}
            <div className="quiet">
              <Moment at={at} />
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function CaseRun({ caseId }: { caseId: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['case', caseId, 'runs'],
    queryFn: () => client.listCaseRuns({ case_id: caseId }),
  });
  return (
    <Loaded query={query}>
      {({ runs, total }) => {
        const [latest] = runs;
        if (!latest) return <p className="empty">No run has worked on it yet.</p>;
        return <LatestRun key={latest.run_id} latest={latest} total={total} />;
      }}
    </Loaded>
  );
}

/** As it gets on: the list of a case's runs is told of when one begins, waits or ends, and not of what it says. */
function LatestRun({ latest, total }: { latest: Run; total: number }) {
  const { data } = useRun(latest.run_id);
  const run = data?.run ?? latest;
  useFollowedRun(run.run_id, data?.status);
  return (
    <section className="card">
      <header>
        <span className="row">
          <Status of={run.status} />
          <Link to="/runs/$runId" params={{ runId: run.run_id }}>
            {run.agent_name}
          </Link>
        </span>
        {total > 1 && <span className="small quiet">the latest of {total} runs</span>}
      </header>
      <Timeline run={run} />
    </section>
  );
}
