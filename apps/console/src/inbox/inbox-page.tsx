import type { HumanRequest } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { RequestFacts } from '../human-requests/request-facts';
import { RequestForm } from '../human-requests/request-form';
import { useClient } from '../session/session-context';
import { Card, Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { byUrgency } from './by-urgency';

/** What runs have asked people, the most urgent first. */
export function InboxPage() {
  const client = useClient();
  const [overdue, setOverdue] = useState(false);
  const [assignee, setAssignee] = useState('');
  const query = useQuery({
    queryKey: ['inbox', 'list', overdue, assignee],
    queryFn: () =>
      client.listHumanRequests({
        status: 'pending',
        limit: 100,
        ...(overdue ? { overdue: true } : {}),
        ...(assignee === '' ? {} : { assignee }),
      }),
  });
  return (
    <Page title="Inbox" intro="Runs that wait for a person. Answer here; the run goes on at once.">
      <div className="row">
        <input
          className="input inbox-assignee"
          type="search"
          aria-label="Assignee"
          placeholder="Assignee"
          value={assignee}
          onChange={({ target }) => setAssignee(target.value)}
        />
        <label className="row">
          <input type="checkbox" checked={overdue} onChange={({ target }) => setOverdue(target.checked)} />
          Overdue only
        </label>
      </div>
      <Loaded query={query}>
        {({ human_requests: requests, total }) =>
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
              {byUrgency(requests).map((request) => (
                <RequestCard key={request.request_id} request={request} />
              ))}
              {total > requests.length && (
                <p className="quiet">{total - requests.length} more wait behind these.</p>
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
