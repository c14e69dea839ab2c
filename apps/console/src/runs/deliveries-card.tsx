import { ApiError, type Run } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { gather } from '../data/lookups/gather';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Card } from '../ui/page';
import { Failure } from '../ui/states';
import { Status } from '../ui/status';
import { Ago } from '../ui/time';

/** Deliveries to the callback. Hidden without the scope. */
export function DeliveriesCard({ run }: { run: Run }) {
  const client = useClient();
  const queryKey = ['run', run.run_id, 'deliveries'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => gather(client.each.listRunDeliveries({ run_id: run.run_id })),
  });
  const again = useAction(client.redeliverRunDelivery, { stale: [queryKey], said: 'It is sent again.' });
  if (!data) {
    if (!error || (error instanceof ApiError && error.code === 'insufficient_scope')) return null;
    return (
      <Card title="Deliveries to its callback">
        <Failure error={error} retry={() => void refetch()} />
      </Card>
    );
  }
  if (data.length === 0) return null;
  return (
    <Card title="Deliveries to its callback">
      <ul className="stack tight">
        {data.map((delivery) => (
          <li key={delivery.id} className="row between">
            <span className="row">
              <Status of={delivery.status} />
              <span className="small">{delivery.event}</span>
              <span className="small quiet">
                <Ago at={delivery.created_at} />
              </span>
            </span>
            <button
              type="button"
              className="button small"
              disabled={again.isPending}
              onClick={() => again.mutate({ run_id: run.run_id, deliveryId: delivery.id })}
            >
              Send again
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
