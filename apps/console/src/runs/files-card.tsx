import type { Run } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { bytes } from '../ui/format';
import { Card } from '../ui/page';
import { Loaded } from '../ui/states';
import { FileDialog } from './file-dialog';

const workspace = '/workspace';

/** The files of the run's sandbox, folder by folder. */
export function FilesCard({ run }: { run: Run }) {
  const client = useClient();
  const [folder, setFolder] = useState(workspace);
  const [shown, setShown] = useState<string>();
  const query = useQuery({
    queryKey: ['run', run.run_id, 'files', folder],
    queryFn: () => client.listRunSandboxFilesByRun({ run_id: run.run_id, path: folder }),
  });
  if (query.data?.files.length === 0 && folder === workspace) return null;
  return (
    <Card title="Files">
      <Loaded query={query} lines={2}>
        {({ files }) => (
          <ul className="stack tight">
            {folder !== workspace && (
              <li>
                <button
                  type="button"
                  className="button plain small"
                  onClick={() => setFolder(folder.slice(0, folder.lastIndexOf('/')) || workspace)}
                >
                  ← {folder.slice(workspace.length + 1)}
                </button>
              </li>
            )}
            {files.map((file) => (
              <li key={file.path} className="row between">
                <button
                  type="button"
                  className="button plain small cut"
                  title={file.name}
                  onClick={() => (file.type === 'dir' ? setFolder(file.path) : setShown(file.path))}
                >
                  <span className="cut">
                    {file.type === 'dir' ? '▸ ' : ''}
                    {file.name}
                  </span>
                </button>
                <span className="small quiet nowrap">{bytes(file.size_bytes)}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {shown && <FileDialog runId={run.run_id} path={shown} onClose={() => setShown(undefined)} />}
    </Card>
  );
}
