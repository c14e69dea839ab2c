import type { Run } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session-context';
import { gather } from './gather';

/** The runs that wait for a person, by their ids. */
export function useWaitingRuns() {
  const client = useClient();
  return useQuery({
    queryKey: ['inbox', 'runs'],
    queryFn: async ({ signal }) => {
      const runs = await gather<Run>(client.each.listRuns({ status: ['waiting'], limit: 100 }, { signal }));
      return new Map(runs.map((run) => [run.run_id, run]));
    },
  });
}
