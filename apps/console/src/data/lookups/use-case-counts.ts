import type { CaseDisplayStatus } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session-context';
import { splitUnsettled, type UnsettledCounts } from './unsettled-counts';

const parts = ['in_progress', 'needs_input', 'postponed'] as const;

/** How many cases of a queue are not settled, and why: those that a search names, or all. */
export function useUnsettledCounts(queueId: string, search?: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['queue', queueId, 'unsettled', search],
    queryFn: async ({ signal }): Promise<UnsettledCounts> => {
      const totalOf = async (status: CaseDisplayStatus) => {
        const input = { queue_id: queueId, status: [status], limit: 1, ...(search ? { search } : {}) };
        return (await client.listCases(input, { signal })).total;
      };
      const [all, ...some] = await Promise.all((['pending', ...parts] as const).map(totalOf));
      return splitUnsettled(all!, { in_progress: some[0]!, needs_input: some[1]!, postponed: some[2]! });
    },
    enabled: queueId !== '',
  });
}
