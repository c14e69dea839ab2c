import type { Artifact } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { gather } from '../data/lookups/gather';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { Card } from '../ui/page';
import { Ago } from '../ui/time';

/** Earlier pages, which can be had back. */
export function RevisionsCard({ artifact }: { artifact: Artifact }) {
  const client = useClient();
  const mayWrite = useMay()('artifacts:write');
  const { artifact_id: artifactId } = artifact;
  const { data } = useQuery({
    queryKey: ['artifacts', artifactId, 'revisions', artifact.current_version],
    queryFn: () => gather(client.each.listArtifactRevisions({ artifactId, limit: 100 })),
  });
  const restore = useAction(client.restoreArtifactRevision, {
    stale: [['artifacts']],
    said: 'It is shown again.',
  });
  if (!data || data.length < 2) return null;
  return (
    <Card title="Revisions">
      <ul className="stack tight">
        {data.map((revision) => (
          <li key={revision.revision_id} className="row between">
            <span>
              {revision.version}. {revision.title} <span className="small quiet">{revision.source}</span>
            </span>
            <span className="row">
              <span className="small quiet">
                <Ago at={revision.created_at} />
              </span>
              {revision.is_current ? (
                <span className="tag">shown</span>
              ) : (
                mayWrite && (
                  <button
                    type="button"
                    className="button small"
                    disabled={restore.isPending}
                    onClick={() => restore.mutate({ artifactId, revisionId: revision.revision_id })}
                  >
                    Show again
                  </button>
                )
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
