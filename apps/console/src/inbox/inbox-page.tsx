import type { HumanRequest } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { RequestFacts } from '../human-requests/request-facts';
import { RequestForm } from '../human-requests/request-form';
import { gather, mostRows } from '../lookups/gather';
import { useClient } from '../session/session-context';
import { count, counted } from '../ui/format';
import { Card, Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { byUrgency } from './by-urgency';

/** So many are drawn at first; each is a form. */
const pageSize = 100;

/** What runs have asked people, the most urgent first. */
export function InboxPage() {
  const client = useClient();
  const [overdue, setOverdue] = useState(false);
  const [assignee, setAssignee] = useState('');
  const [shown, setShown] = useState(pageSize);
  const query = useQuery({
    queryKey: ['inbox', 'list', overdue, assignee],
    // All of them, for the service gives the oldest first, and what is most urgent may be the youngest.
    queryFn: ({ signal }) =>
      gather(
        client.each.listHumanRequests(
          {
            status: 'pending',
            ...(overdue ? { overdue: true } : {}),
            ...(assignee === '' ? {} : { assignee }),
          },
          { signal },
        ),
      ),
  });
  return (
    <Page title="Inbox" intro="Runs that wait for a person. Answer here; the run goes on at once.">
      <div className="row">
        <input
          className="input inbox-assignee"
          type="search"
          aria-label="Assignee"
          placeholder="Assignee"
          maxLength={200}
          value={assignee}
          onChange={({ target }) => setAssignee(target.value)}
        />
        <label className="row">
          <input type="checkbox" checked={overdue} onChange={({ target }) => setOverdue(target.checked)} />
          Overdue only
        </label>
      </div>
      <Loaded query={query}>
        {(requests) =>
          requests.length === 0 ? (
            <div className="card">
              <Empty title="Nobody waits for you">
                <p>
                  When an agent needs an approval or an answer, it appears here at once. An agent asks with
                  the tools ask_human and request_approval, or the steps ask and approve.
                </p>
              </Empty>
            </div>
          ) : (
            <div className="stack">
              {byUrgency(requests)
                .slice(0, shown)
                .map((request) => (
                  <RequestCard key={request.request_id} request={request} />
                ))}
              {requests.length > shown && (
                <div className="row">
                  <span className="small quiet">
                    {shown} of {counted(requests.length, 'question')}
                  </span>
                  <button
                    type="button"
                    className="button small"
                    onClick={() => setShown((before) => before + pageSize)}
                  >
                    Show more
                  </button>
                </div>
              )}
              {requests.length >= mostRows && (
                <p className="quiet">
                  These are the {count(mostRows)} oldest; younger ones follow as they are answered.
                </p>
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function RequestCard({ request }: { request: HumanRequest }) {
  return (
    <Card
      title={request.title}
      actions={
        <Link to="/runs/$runId" params={{ runId: request.run_id }} className="small">
          See the run
        </Link>
      }
    >
      <div className="stack">
        <RequestFacts request={request} />
        <RequestForm request={request} />
      </div>
    </Card>
  );
}
