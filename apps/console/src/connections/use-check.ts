import type { Connection } from '@aos/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/session-context';
import type { Check } from './health';

const keptMs = 3_600_000;

/** Asks the server of a connection for its tools when a person wants it, and keeps what it said for an hour. */
export function useCheck({ connection_id: id }: Connection) {
  const client = useClient();
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['connection-check', id],
    queryFn: async (): Promise<Check> => {
      const answer = await client.probeMcpServer({ connection_id: id });
      // Credentials that were refused make it broken.
      if (!answer.success) void queries.invalidateQueries({ queryKey: ['connections', 'all'] });
      return { answer, at: new Date().toISOString() };
    },
    enabled: false,
    gcTime: keptMs,
    retry: false,
  });
}
