import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session-context';
import { gather } from './gather';

/** The connections of the team. */
export function useConnections() {
  const client = useClient();
  return useQuery({
    queryKey: ['connections', 'all'],
    queryFn: () => gather(client.each.listConnections({ limit: 100 })),
  });
}

/** The tool sets and providers of this installation. */
export function useCatalog() {
  const client = useClient();
  return useQuery({
    queryKey: ['connections', 'catalog'],
    queryFn: () => client.listPluginCatalog({}),
  });
}
