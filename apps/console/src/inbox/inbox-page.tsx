import type { HumanRequest, Run } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { outcomeOf } from './outcome';
import { gather, maxRows } from '../data/lookups/gather';
import { useWaitingRuns } from '../data/lookups/use-waiting-runs';
import { useClient } from '../session/session-context';
import { Checkbox } from '../ui/controls';
import { count, counted } from '../ui/format';
import { Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { useNow } from '../ui/time';
import { byUrgency } from './by-urgency';
import { isAbout, withAnswered, withPending } from './places';
import { RequestCard } from './request-card';
import './inbox.css';

/** So many are drawn at first; each is a form. */
const pageSize = 100;

export function InboxPage() {
  const client = useClient();
  const query = useQuery({
    queryKey: ['inbox', 'list'],
    // All of them, for the service gives the oldest first, and what is most urgent may be the youngest.
    queryFn: ({ signal }) => gather(client.each.listHumanRequests({ status: 'pending' }, { signal })),
  });
  return (
    <Page title="Inbox" intro="Runs that wait for a person. Answer here; the run continues at once.">
      <Loaded query={query}>{(pending) => <Requests pending={pending} />}</Loaded>
    </Page>
  );
}

interface Filter {
  readonly sought: string;
  readonly overdueOnly: boolean;
}

const everything: Filter = { sought: '', overdueOnly: false };

function Requests({ pending }: { pending: readonly HumanRequest[] }) {
  const now = useNow();
  const { data: waiting } = useWaitingRuns();
  const [seen, setSeen] = useState<readonly HumanRequest[]>(pending);
  const [runs, setRuns] = useState<ReadonlyMap<string, Run>>(new Map());
  const [filter, setFilter] = useState(everything);
  const [cleared, setCleared] = useState<ReadonlySet<string>>(new Set());
  const [maxShown, setMostShown] = useState(pageSize);
  // Settled requests keep their place and their run.
  const requests = withPending(seen, pending);
  if (requests !== seen) setSeen(requests);
  if (waiting && [...waiting].some(([id, run]) => runs.get(id) !== run))
    setRuns(new Map([...runs, ...waiting]));

  const pendingIds = new Set(pending.map(({ request_id: id }) => id));
  const isPending = ({ request_id: id, status }: HumanRequest) => status === 'pending' && pendingIds.has(id);
  // By their ids, for a list that is older than an answer may name one as pending once more.
  const visible = requests.filter(({ request_id: id }) => !cleared.has(id));
  const settled = visible.filter((request) => !isPending(request));
  const listed = byUrgency(visible).filter(
    (request) =>
      isAbout(request, runs.get(request.run_id), filter.sought) &&
      (!filter.overdueOnly || !isPending(request) || outcomeOf(request, now) === 'overdue'),
  );
  if (visible.length === 0) return <NoRequests />;
  return (
    <>
      <div className="row">
        <input
          className="input inbox-search"
          type="search"
          aria-label="Filter the requests"
          placeholder="Title, assignee, agent, run or case"
          value={filter.sought}
          onChange={({ target }) => setFilter({ ...filter, sought: target.value })}
        />
        <Checkbox
          className="row"
          checked={filter.overdueOnly}
          onChange={(overdueOnly) => setFilter({ ...filter, overdueOnly })}
        >
          Overdue only
        </Checkbox>
        <span className="small quiet" aria-live="polite">
          {counted(pending.length, 'pending request')}
        </span>
        {settled.length > 0 && (
          <button
            type="button"
            className="button small"
            onClick={() => setCleared(new Set([...cleared, ...settled.map(({ request_id: id }) => id)]))}
          >
            Clear {count(settled.length)} settled
          </button>
        )}
      </div>
      {listed.length === 0 && (
        <div className="card">
          <Empty title="No request matches">
            <p>{counted(pending.length, 'request is', 'requests are')} pending, none of them like this.</p>
            <button type="button" className="button" onClick={() => setFilter(everything)}>
              Show all
            </button>
          </Empty>
        </div>
      )}
      <div className="stack">
        {listed.slice(0, maxShown).map((request) => (
          <RequestCard
            key={request.request_id}
            request={request}
            run={runs.get(request.run_id)}
            isPending={isPending(request)}
            onAnswered={(answered) => setSeen((before) => withAnswered(before, answered))}
          />
        ))}
        {listed.length > maxShown && (
          <div className="row">
            <span className="small quiet">
              {maxShown} of {counted(listed.length, 'request')}
            </span>
            <button
              type="button"
              className="button small"
              onClick={() => setMostShown((before) => before + pageSize)}
            >
              Show more
            </button>
          </div>
        )}
        {pending.length >= maxRows && (
          <p className="quiet">
            These are the {count(maxRows)} oldest; younger ones follow as they are answered.
          </p>
        )}
      </div>
    </>
  );
}

function NoRequests() {
  return (
    <div className="card">
      <Empty title="No pending requests">
        <p>
          When an agent needs an approval or an answer, it appears here at once. An agent asks with the tools
          ask_human and request_approval, or the steps ask and approve.
        </p>
      </Empty>
    </div>
  );
}
