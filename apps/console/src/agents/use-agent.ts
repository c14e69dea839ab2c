import { useQuery } from '@tanstack/react-query';
import { gather } from '../data/lookups/gather';
import { useClient } from '../session/session-context';

export function useAgent(agentId: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['agent', agentId, 'head'],
    queryFn: () => client.getAgent({ agent_id: agentId }),
  });
}

/** Newest first. */
export function useRevisions(agentId: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['agent', agentId, 'revisions'],
    queryFn: () => gather(client.each.listAgentRevisions({ agent_id: agentId, limit: 100 })),
  });
}
