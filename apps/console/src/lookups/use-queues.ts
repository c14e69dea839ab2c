import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context';
import { gather } from './gather';

export function useQueues() {
  const client = useClient();
  return useQuery({ queryKey: ['queues', 'all'], queryFn: () => gather(client.each.listQueues({})) });
}
