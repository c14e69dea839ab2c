import type { AgentUsage, BillingUsage, Entitlements } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gather } from '../data/lookups/gather';
import { useClient } from '../session/session-context';
import { BarChart, Meter } from '../ui/chart';
import { dayOf, everyDay } from '../ui/days';
import { bytes, count, duration, money, words } from '../ui/format';
import { Card, Figure, Page } from '../ui/page';
import { ResourceCard } from '../ui/resource-card';
import { Empty, Loaded } from '../ui/states';
import type { Column } from '../ui/table';
import { BudgetCard } from './budget-card';

export function UsagePage() {
  const client = useClient();
  const usage = useQuery({ queryKey: ['usage', 'month'], queryFn: () => client.getBillingUsage({}) });
  const agents = useQuery({
    queryKey: ['usage', 'agents'],
    queryFn: () => gather(client.each.getAgentUsage({})),
  });
  const plan = useQuery({ queryKey: ['usage', 'plan'], queryFn: () => client.getBillingEntitlements({}) });
  return (
    <Page
      title="Usage"
      intro="What the team has used in this calendar month, a second or two behind. Days begin and end at midnight UTC."
    >
      <Loaded query={usage}>{(month) => <Month month={month} />}</Loaded>
      <div className="columns">
        <BudgetCard />
        <Card title="Plan">
          <Loaded query={plan}>{(entitlements) => <Plan entitlements={entitlements} />}</Loaded>
        </Card>
      </div>
      <ResourceCard
        title="By agent"
        query={agents}
        empty={
          <Empty title="Nothing was used this month">
            <p>Runs, tokens and what they cost are listed here by agent, as soon as one has run.</p>
          </Empty>
        }
        keyOf={({ agent_id: agentId }) => agentId}
        columns={columns}
      />
    </Page>
  );
}

function costOf(cost: AgentUsage['estimated_cost']): string {
  return cost === null ? 'no prices set' : money(cost);
}

const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function Month({ month }: { month: BillingUsage }) {
  const { runs, model, period } = month;
  // Until today, or to the end of a month that is over.
  const last = dayOf(Math.min(Date.now(), Date.parse(period.end) - 1));
  const daily = (value: (day: BillingUsage['daily'][number]) => number) =>
    everyDay(
      dayOf(Date.parse(period.start)),
      last,
      month.daily.map((day) => ({ label: day.date, value: value(day) })),
    );
  return (
    <>
      <div className="figures">
        <Figure
          name="Runs"
          value={count(runs.started)}
          hint={`${count(runs.completed)} completed, ${count(runs.failed)} failed`}
        />
        <Figure
          name="Tokens"
          value={count(model.input_tokens + model.output_tokens)}
          hint={`${count(model.input_tokens)} in, ${count(model.output_tokens)} out`}
        />
        <Figure name="Estimated cost" value={costOf(month.estimated_cost)} />
        <Figure name="Active time" value={duration(month.active_seconds * 1000)} />
        <Figure name="Tool calls" value={count(month.tool_calls)} />
        <Figure name="Questions to people" value={count(month.human_requests)} />
        <Figure name="Deliveries" value={count(month.webhook_deliveries)} />
        <Figure name="Stored" value={bytes(month.storage_bytes)} />
      </div>
      <div className="columns">
        <Card title={`Runs by day, ${monthName.format(Date.parse(period.start))}`}>
          <BarChart title="Runs by day" bars={daily((day) => day.runs)} />
        </Card>
        <Card title={`Tokens by day, ${monthName.format(Date.parse(period.start))}`}>
          <BarChart
            title="Tokens by day"
            bars={daily(({ input_tokens, output_tokens }) => input_tokens + output_tokens)}
          />
        </Card>
      </div>
    </>
  );
}

function Plan({ entitlements: { plan, features, limits, usage } }: { entitlements: Entitlements }) {
  return (
    <div className="stack">
      <div>
        <strong>{words(plan)}</strong>{' '}
        <span className="quiet">
          with{' '}
          {Object.entries(features)
            .filter(([, isIn]) => isIn)
            .map(([name]) => name)
            .join(', ') || 'no extra features'}
        </span>
      </div>
      <ul className="stack tight">
        {Object.entries(limits).map(([name, limit]) => {
          const used = usage[name as keyof typeof usage] ?? 0;
          return (
            <li key={name} className="stack tight">
              <div className="row between">
                <span>{words(name)}</span>
                <span className="quiet">
                  {count(used)} of {limit === null ? 'any number' : count(limit)}
                </span>
              </div>
              {limit !== null && <Meter used={used} most={limit} label={words(name)} />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const columns: readonly Column<AgentUsage>[] = [
  {
    title: 'Agent',
    cell: ({ agent_id: agentId, name }) => (
      <Link to="/agents/$agentId" params={{ agentId }}>
        {name}
      </Link>
    ),
  },
  { title: 'Runs', className: 'right', cell: ({ runs }) => count(runs) },
  { title: 'Tokens in', className: 'right', cell: (row) => count(row.input_tokens) },
  { title: 'Tokens out', className: 'right', cell: (row) => count(row.output_tokens) },
  { title: 'Estimated cost', className: 'right quiet', cell: (row) => costOf(row.estimated_cost) },
];
