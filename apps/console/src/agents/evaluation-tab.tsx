import type { Agent, OutputOf } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../session/session-context';
import { BarChart } from '../ui/chart';
import { dayOf, everyDay } from '../ui/days';
import { count, counted } from '../ui/format';
import { Card } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { RubricsCard } from './rubrics-card';

type Flags = OutputOf<'getEvalScores'>['flag_distribution'];

const shownDays = 30;
const dayMs = 86_400_000;

/** How well the agent does, and by what it is judged. */
export function EvaluationTab({ agent }: { agent: Agent }) {
  const client = useClient();
  const agentId = agent.agent_id;
  const scores = useQuery({
    queryKey: ['agent', agentId, 'scores'],
    queryFn: () => client.getEvalScores({ agentId }),
  });
  return (
    <div className="columns">
      <Card title="The last 30 days">
        <Loaded query={scores}>
          {({ total_evaluated: total, with_issues: issues, flag_distribution: flags, trend }) =>
            total === 0 ? (
              <Empty title="No run was judged yet">
                <p>Each run that ends is judged by the rubrics beside this. The trend appears here.</p>
              </Empty>
            ) : (
              <div className="stack">
                <p>
                  <strong>{Math.round(((total - issues) / total) * 100)} percent</strong> of {count(total)}{' '}
                  runs had no issue.{' '}
                  <Link to="/runs" search={{ agent: agentId, issues: true }}>
                    Those with issues
                  </Link>
                </p>
                <BarChart
                  title="Judged runs by day"
                  part="with issues"
                  bars={everyDay(
                    dayOf(Date.now() - shownDays * dayMs),
                    dayOf(Date.now()),
                    trend.map(({ date, evaluated, with_issues: part }) => ({
                      label: date,
                      value: evaluated,
                      part,
                    })),
                  )}
                />
                {flags.length > 0 && <Issues flags={flags} />}
              </div>
            )
          }
        </Loaded>
      </Card>
      <RubricsCard agentId={agentId} />
    </div>
  );
}

/** A rubric says what a good run is: it is named with the runs that were not. */
export function Issues({ flags }: { flags: Flags }) {
  return (
    <div className="stack tight">
      <h3>Rubrics that runs did not meet</h3>
      <ul className="stack tight">
        {flags.map(({ flag, label, count: times }) => (
          <li key={flag} className="row between">
            <span>{label}</span>
            <span className="quiet">not met by {counted(times, 'run')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
