import { useQuery } from '@tanstack/react-query';
import { useClient, useMay } from '../../session/session-context';
import { gather } from './gather';

export function useQueues() {
  const client = useClient();
  const mayRead = useMay()('queues:read');
  return useQuery({
    queryKey: ['queues', 'all'],
    queryFn: () => gather(client.each.listQueues({})),
    enabled: mayRead,
  });
}
