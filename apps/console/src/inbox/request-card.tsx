import type { HumanRequest, Run } from '@aos/client';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { RequestFacts, RequestRecord } from './request-facts';
import { RequestForm } from './request-form';
import { Card } from '../ui/page';
import { RunTags } from '../ui/run-tags';

interface RequestCardProps {
  readonly request: HumanRequest;
  readonly run: Run | undefined;
  readonly isPending: boolean;
  readonly onAnswered: (request: HumanRequest) => void;
}

/** A request, with what it is about: the agent, the run and the case. */
export function RequestCard({ request, run, isPending, onAnswered }: RequestCardProps) {
  const card = useRef<HTMLDivElement>(null);
  const isAnsweredHere = request.status !== 'pending';
  useEffect(() => {
    // The focused element is gone; focus moves here.
    if (isAnsweredHere) card.current?.focus({ preventScroll: true });
  }, [isAnsweredHere]);
  return (
    <div ref={card} tabIndex={-1} className="request-card">
      <Card
        title={request.title}
        actions={
          <Link to="/runs/$runId" params={{ runId: request.run_id }} className="small">
            See the run
          </Link>
        }
      >
        <div className="stack">
          {run && <Origin run={run} />}
          <RequestFacts request={request} />
          <RequestRecord request={request} />
          {isPending ? (
            <RequestForm request={request} onAnswered={onAnswered} />
          ) : (
            !isAnsweredHere && (
              <p className="small quiet">
                No longer pending: it was answered elsewhere, cancelled, or has expired.
              </p>
            )
          )}
        </div>
      </Card>
    </div>
  );
}

function Origin({ run }: { run: Run }) {
  return (
    <p className="small">
      <Link to="/agents/$agentId" params={{ agentId: run.agent_id }}>
        {run.agent_name}
      </Link>
      {' · '}
      <Link to="/runs/$runId" params={{ runId: run.run_id }}>
        {run.title}
      </Link>
      {run.case_queue_id && run.case_id && (
        <>
          {' · case '}
          <Link to="/queues" search={{ queue: run.case_queue_id, case: run.case_id }}>
            {run.case_title}
          </Link>
          {run.case_queue_name && ` in ${run.case_queue_name}`}
        </>
      )}{' '}
      <RunTags run={run} />
    </p>
  );
}
