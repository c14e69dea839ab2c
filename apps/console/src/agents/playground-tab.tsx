import type { Agent, Build } from '@aos/client';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useFollowedRun, useRun } from '../runs/use-run';
import { Timeline } from '../runs/timeline-view';
import '../runs/runs.css';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Card } from '../ui/page';
import { Empty, Loaded, Loading } from '../ui/states';
import { Status } from '../ui/status';
import { useRevisions } from './use-agent';
import './agents.css';

/** Tries a draft beside what is live, on the same message. */
export function PlaygroundTab({ agent }: { agent: Agent }) {
  const query = useRevisions(agent.agent_id);
  return (
    <Loaded query={query}>
      {(builds) => {
        const live = builds.find(({ status }) => status === 'live');
        const others = builds.filter(({ status }) => status !== 'live');
        if (!live || others.length === 0) {
          return (
            <Empty title="There is nothing to compare with yet">
              <p>
                Make a draft under Revisions. Then both can be tried here on the same message, side by side.
              </p>
            </Empty>
          );
        }
        return <Trial live={live} others={others} />;
      }}
    </Loaded>
  );
}

function Trial({ live, others }: { live: Build; others: readonly Build[] }) {
  const client = useClient();
  const [other, setOther] = useState(others[0]!.build_id);
  const [message, setMessage] = useState('');
  const start = useAction(
    async (text: string) => {
      const begin = (buildId: string) =>
        client.startRun({
          agent_id: live.agent_id,
          build_id: buildId,
          message: text,
          metadata: { started_in: 'playground' },
        });
      const [first, second] = await Promise.all([begin(live.build_id), begin(other)]);
      return { live: first.run_id, other: second.run_id };
    },
    { stale: [['runs']] },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate(message);
  };
  return (
    <div className="stack">
      <form className="card padded stack" onSubmit={submit}>
        <div className="row">
          <span>Revision {live.revision_number} (live) beside</span>
          <select
            className="input"
            aria-label="Revision to try"
            value={other}
            onChange={({ target }) => setOther(target.value)}
          >
            {others.map((build) => (
              <option key={build.build_id} value={build.build_id}>
                {build.revision_number}. {build.revision_name ?? build.name} ({build.status})
              </option>
            ))}
          </select>
        </div>
        <textarea
          className="input"
          rows={2}
          aria-label="Message for both"
          placeholder="Message for both"
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
        <div>
          <button
            type="submit"
            className="button primary"
            disabled={start.isPending || message.trim() === ''}
          >
            Start both
          </button>
        </div>
      </form>
      {start.data && (
        <div className="side-by-side">
          <TrialRun title="Live" runId={start.data.live} />
          <TrialRun title="Draft" runId={start.data.other} />
        </div>
      )}
    </div>
  );
}

function TrialRun({ title, runId }: { title: string; runId: string }) {
  const { data } = useRun(runId);
  useFollowedRun(runId, data?.status);
  return (
    <Card
      title={title}
      flush
      actions={
        data && (
          <>
            <Status of={data.status} />
            <Link to="/runs/$runId" params={{ runId }} className="small">
              See the run
            </Link>
          </>
        )
      }
    >
      {data ? <Timeline run={data.run} /> : <Loading />}
    </Card>
  );
}
