import type { Run } from '@aos/client';
import { Link } from '@tanstack/react-router';
import { useMay } from '../session/session-context';
import { Card } from '../ui/page';
import { CopyButton } from '../ui/copy';
import { Moment } from '../ui/time';
import { EvaluationCard } from './evaluation-card';
import { DeliveriesCard } from './deliveries-card';
import { FilesCard } from './files-card';
import { FilmCard } from './film-card';
import { useRunDetail } from './use-run';

export function RunSide({ run }: { run: Run }) {
  const may = useMay();
  return (
    <div className="stack">
      <FilmCard run={run} />
      {may('files:read') && <FilesCard run={run} />}
      <EvaluationCard run={run} />
      {may('webhooks:manage') && <DeliveriesCard run={run} />}
      <FactsCard run={run} />
    </div>
  );
}

function FactsCard({ run }: { run: Run }) {
  const { data: detail } = useRunDetail(run);
  const facts = Object.entries(run.metadata).filter(([name]) => name !== 'parent_run_id');
  return (
    <Card title="Facts" actions={<CopyButton text={run.run_id} label="Copy id" />}>
      <dl className="facts">
        {detail && (
          <>
            <dt>Revision</dt>
            <dd>
              <Link
                to="/agents/$agentId"
                params={{ agentId: run.agent_id }}
                search={{ tab: 'revisions', revision: detail.build.build_id }}
              >
                {detail.build.revision_number}
              </Link>{' '}
              <span className="quiet">{detail.build.config.data.models.agent.model}</span>
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Moment at={run.created_at} />
        </dd>
        <dt>Ended</dt>
        <dd>
          <Moment at={run.completed_at} />
        </dd>
        <dt>May ask people</dt>
        <dd>{run.human_in_the_loop_enabled ? 'yes' : 'no'}</dd>
        {facts.map(([name, value]) => (
          <FactRow key={name} name={name} value={value} />
        ))}
      </dl>
    </Card>
  );
}

function FactRow({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
