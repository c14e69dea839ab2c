import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useSession } from '../../session/session-context';
import { gather } from './gather';

/**
 * Gives the name of a credential: of this session's own, and of those that an administrator may list. Others are
 * “another credential”.
 */
export function useCredentialName(): (id: string) => string {
  const client = useClient();
  const { credentialId } = useSession();
  const mayList = useMay()('team:admin');
  const { data: names } = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: async () => {
      const [keys, clients] = await Promise.all([
        gather(client.each.listApiKeys({})),
        gather(client.each.listOAuthClients({})),
      ]);
      return new Map([
        ...keys.map(({ id, name }) => [id, name] as const),
        ...clients.map(({ client_id: id, name }) => [id, name] as const),
      ]);
    },
    enabled: mayList,
  });
  return (id) => (id === credentialId ? 'you' : (names?.get(id) ?? 'another credential'));
}
