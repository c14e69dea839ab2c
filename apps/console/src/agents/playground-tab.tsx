import type { Agent, Build } from '@aos/client';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useFollowedRun, useRun } from '../runs/use-run';
import { Timeline } from '../runs/timeline-view';
import '../runs/runs.css';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { Checkbox, Select, TextArea } from '../ui/controls';
import { Card } from '../ui/page';
import { playgroundMark } from '../ui/playground';
import { Empty, Failure, Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { useRevisions } from './use-agent';
import './agents.css';

/** Tries a draft beside what is live, on the same message. */
export function PlaygroundTab({ agent }: { agent: Agent }) {
  const query = useRevisions(agent.agent_id);
  if (!useMay()('runs:write')) {
    return <Empty title="Your key does not allow you to start runs (scope runs:write)" />;
  }
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

/** A run of a revision, or why there is none. */
interface Started {
  readonly build: Build;
  readonly runId?: string;
  readonly problem?: unknown;
}

function Trial({ live, others }: { live: Build; others: readonly Build[] }) {
  const client = useClient();
  const [chosen, setChosen] = useState<string>();
  const [message, setMessage] = useState('');
  const [asksPeople, setAsksPeople] = useState(false);
  // The chosen revision may have become live or been deleted.
  const other = others.find(({ build_id: buildId }) => buildId === chosen) ?? others[0]!;
  // Each for itself: when one is refused, the other is at work all the same.
  const begin = async (build: Build, text: string): Promise<Started> => {
    try {
      const { run_id: runId } = await client.startRun({
        agent_id: build.agent_id,
        build_id: build.build_id,
        message: text,
        human_in_the_loop_enabled: asksPeople,
        metadata: { ...playgroundMark },
      });
      return { build, runId };
    } catch (problem) {
      return { build, problem };
    }
  };
  const start = useAction((text: string) => Promise.all([live, other].map((build) => begin(build, text))), {
    stale: [['runs']],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate(message);
  };
  return (
    <div className="stack">
      <form className="card padded stack" onSubmit={submit}>
        <div className="row">
          <span>Revision {live.revision_number} (live) beside</span>
          <Select
            aria-label="Revision to try"
            options={others.map(
              (build) =>
                [
                  build.build_id,
                  `${build.revision_number}. ${build.revision_name ?? build.name} (${build.status})`,
                ] as const,
            )}
            value={other.build_id}
            onChange={setChosen}
          />
        </div>
        <TextArea
          rows={2}
          aria-label="Message for both"
          placeholder="Message for both"
          value={message}
          onChange={setMessage}
        />
        <div className="banner warn">
          <div className="grow">
            This starts two real runs: their tools act, their tokens are counted, and they are judged. In the
            list of runs they are marked “playground”.
          </div>
        </div>
        <Checkbox checked={asksPeople} onChange={setAsksPeople}>
          Let them ask people{' '}
          <span className="small quiet">
            Their requests appear in the inbox. Otherwise a tool that asks gets an error, and the agent goes
            on without an answer.
          </span>
        </Checkbox>
        <div>
          <button
            type="submit"
            className="button primary"
            disabled={start.isPending || message.trim() === ''}
          >
            Start two runs
          </button>
        </div>
      </form>
      {start.data && (
        <div className="side-by-side">
          {start.data.map(({ build, runId, problem }) =>
            runId === undefined ? (
              <Card key={build.build_id} title={titleOf(build)}>
                <Failure error={problem} />
              </Card>
            ) : (
              <TrialRun key={runId} title={titleOf(build)} runId={runId} />
            ),
          )}
        </div>
      )}
    </div>
  );
}

/** As it was when it was tried. */
function titleOf({ revision_number: number, status }: Build): string {
  return `Revision ${number} (${status})`;
}

function TrialRun({ title, runId }: { title: string; runId: string }) {
  const query = useRun(runId);
  useFollowedRun(runId, query.data?.status);
  return (
    <Card
      title={title}
      flush
      actions={
        <>
          {query.data && <Status of={query.data.status} />}
          <Link to="/runs/$runId" params={{ runId }} className="small">
            See the run
          </Link>
        </>
      }
    >
      <Loaded query={query}>{({ run }) => <Timeline run={run} />}</Loaded>
    </Card>
  );
}
