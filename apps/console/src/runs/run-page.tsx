import type { HumanRequest, Run } from '@aos/client';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { count, duration, money, words } from '../ui/format';
import { Card, Figure, Page } from '../ui/page';
import { Failure, Loading } from '../ui/states';
import { RunTags } from '../ui/run-tags';
import { Status } from '../ui/status';
import { Lasting } from '../ui/time';
import { Composer } from './composer';
import { RunSide } from './run-side';
import { Timeline } from './timeline-view';
import { countCalls } from './failed-calls';
import { useFollowedRun, useRun, useRunCost, useRunMessages, useRunReport } from './use-run';
import { whyOf } from './why';
import './runs.css';

/** Another one for another run, so that no folder, picture or half a message of the one before stays. */
export function RunPage() {
  const { runId } = useParams({ from: '/runs/$runId' });
  return <RunView key={runId} runId={runId} />;
}

function RunView({ runId }: { runId: string }) {
  const mayWrite = useMay()('runs:write');
  const query = useRun(runId);
  useFollowedRun(runId, query.data?.status);
  if (query.isError && !query.data) {
    return (
      <Page title="Run">
        <Failure error={query.error} retry={() => void query.refetch()} />
      </Page>
    );
  }
  if (!query.data) {
    return (
      <Page title="Run">
        <Loading lines={6} />
      </Page>
    );
  }
  const { run, pending_human_request: request } = query.data;
  return (
    <Page title={run.title} intro={<Origin run={run} />} actions={mayWrite && <Actions run={run} />}>
      <WhyBanner run={run} request={request} />
      <Figures run={run} />
      <div className="run-layout">
        <Card title="Timeline" flush>
          <Timeline run={run} />
          {mayWrite && <Composer run={run} />}
        </Card>
        <RunSide run={run} />
      </div>
    </Page>
  );
}

function Origin({ run }: { run: Run }) {
  const parent = run.metadata['parent_run_id'];
  return (
    <>
      <Link to="/agents/$agentId" params={{ agentId: run.agent_id }}>
        {run.agent_name}
      </Link>
      {` · started by ${run.source === 'api' ? 'the API' : words(run.source).toLowerCase()}`}
      {parent && (
        <>
          {' · part of '}
          <Link to="/runs/$runId" params={{ runId: parent }}>
            another run
          </Link>
        </>
      )}
      {run.case_queue_id && run.case_id && (
        <>
          {' · case '}
          <Link to="/queues" search={{ queue: run.case_queue_id, case: run.case_id }}>
            {run.case_title}
          </Link>
        </>
      )}{' '}
      <RunTags run={run} />
    </>
  );
}

function WhyBanner({ run, request }: { run: Run; request: HumanRequest | null }) {
  const { data: messages } = useRunMessages(run.run_id);
  const calls = useMemo(() => countCalls(messages ?? []), [messages]);
  const { tone, text, advice } = whyOf(run, request, calls);
  return (
    <div className={`banner ${tone}`} role="status">
      <Status of={run.status} />
      <div className="grow">
        <strong>{text}</strong> {advice}
      </div>
    </div>
  );
}

function Figures({ run }: { run: Run }) {
  const { data: report } = useRunReport(run);
  const { data: priced } = useRunCost(run);
  const { usage, eval_summary: judged } = run;
  return (
    <div className="figures">
      <Figure name="Time" value={<Lasting from={run.started_at} to={run.completed_at} />} />
      <Figure name="Waited for people" value={report ? duration(report.totals.human_wait_ms) : '–'} />
      <Figure name="Steps" value={count(usage.steps)} hint={`${count(usage.tool_calls)} tool calls`} />
      <Figure
        name="Tokens"
        value={count(usage.input_tokens + usage.output_tokens)}
        hint={`${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out`}
      />
      <Figure
        name="Estimated cost"
        value={priced?.estimated_cost ? money(priced.estimated_cost) : '–'}
        hint={priced?.estimated_cost === null ? 'no price of its model is set' : undefined}
      />
      <Figure name="Evaluation" value={judged ? `${judged.passed} of ${judged.total}` : '–'} />
    </div>
  );
}

function Actions({ run }: { run: Run }) {
  const client = useClient();
  const navigate = useNavigate();
  const stale = [['run', run.run_id], ['runs'], ['inbox']];
  const stop = useAction(client.stopRun, { stale, said: 'Stopped.' });
  const remove = useAction(client.deleteRun, {
    stale: [['runs']],
    said: 'Deleted.',
    onDone: () => void navigate({ to: '/runs' }),
  });
  const input = { run_id: run.run_id };
  if (['pending', 'running', 'waiting'].includes(run.status)) {
    return (
      <ConfirmButton
        label="Stop"
        title="Stop this run?"
        confirm="Stop it"
        disabled={stop.isPending}
        onConfirm={() => stop.mutate(input)}
      >
        What it is doing is broken off, and runs that it has started are stopped too. A message opens it
        again.
      </ConfirmButton>
    );
  }
  return (
    <ConfirmButton
      label="Delete"
      title="Delete this run?"
      confirm="Delete it"
      disabled={remove.isPending}
      onConfirm={() => remove.mutate(input)}
    >
      Its messages, files, steps and evaluation are deleted for good, with what its events said. What it used
      stays counted.
    </ConfirmButton>
  );
}
