import { useQuery } from '@tanstack/react-query';
import { useClient, useMay } from '../../session/session-context';
import { gather } from './gather';

/** The agents of the team, for choices and lists. */
export function useAgents() {
  const client = useClient();
  const mayRead = useMay()('agents:read');
  return useQuery({
    queryKey: ['agents', 'all'],
    queryFn: () => gather(client.each.listAgents({ include_schedules: true, limit: 100 })),
    enabled: mayRead,
  });
}
