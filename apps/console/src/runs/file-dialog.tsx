import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context';
import { Dialog } from '../ui/dialog';
import { bytes, ownPath } from '../ui/format';
import { Markdown } from '../ui/markdown';
import { Loaded } from '../ui/states';
import { kindOf } from './file-kind';

interface FileDialogProps {
  readonly runId: string;
  readonly path: string;
  readonly onClose: () => void;
}

/** A file of a run, as text or picture; what cannot be shown safely is saved. */
export function FileDialog({ runId, path, onClose }: FileDialogProps) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['run', runId, 'file', path],
    queryFn: () => client.getRunSandboxFileContentByRun({ run_id: runId, path }),
    gcTime: 0,
  });
  return (
    <Dialog title={path.replace(/^\/workspace\//, '')} large onClose={onClose}>
      <Loaded query={query}>
        {({ content, encoding, content_type: type, size_bytes: size, download_url: link }) => {
          const kind = kindOf(type, encoding, path);
          return (
            <>
              <div className="row between small quiet">
                <span>
                  {type} · {bytes(size)}
                </span>
                <a className="button small" href={ownPath(link)} download>
                  Save
                </a>
              </div>
              <div className="file-preview">
                {kind === 'picture' && <img src={ownPath(link)} alt={path} />}
                {kind === 'markdown' && content !== null && <Markdown text={content} />}
                {kind === 'text' && content !== null && (
                  <pre className="block" tabIndex={0}>
                    {content}
                  </pre>
                )}
                {(kind === 'none' || (content === null && kind !== 'picture')) && (
                  <p className="empty">It cannot be shown here. Save it to look at it.</p>
                )}
              </div>
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
