import type { Build } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context';
import { Failure } from '../ui/states';

/** Shows the faults that make every run of a revision fail. */
export function RevisionWarnings({ build: { agent_id: agentId, build_id: buildId } }: { build: Build }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['agent', agentId, 'revision', buildId],
    queryFn: () => client.getRevision({ agent_id: agentId, build_id: buildId }),
  });
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return query.data?.warnings.map((warning) => (
    <p key={warning} className="banner warn" role="status">
      {warning}
    </p>
  ));
}
