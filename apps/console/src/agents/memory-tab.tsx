import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { gather } from '../data/lookups/gather';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { ConfirmButton } from '../ui/confirm';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { bytes } from '../ui/format';
import { Card } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { Ago } from '../ui/time';

/** What the agent keeps from run to run. */
export function MemoryTab({ agentId }: { agentId: string }) {
  const client = useClient();
  const [shown, setShown] = useState<string>();
  const mayWrite = useMay()('agents:write');
  const queryKey = ['agent', agentId, 'memory'];
  const query = useQuery({
    queryKey,
    queryFn: () => gather(client.each.listAgentMemoryFiles({ agent_id: agentId })),
  });
  const remove = useAction(client.deleteAgentMemoryFile, { stale: [queryKey], said: 'The file is deleted.' });
  return (
    <Card
      title="Memory"
      flush
      actions={
        mayWrite && (
          <button type="button" className="button small" onClick={() => setShown('')}>
            New file
          </button>
        )
      }
    >
      <Loaded query={query}>
        {(files) =>
          files.length === 0 ? (
            <Empty title="It remembers nothing yet">
              <p>
                Runs read and write files here with the tools read_memory and write_memory. You can put some
                here too.
              </p>
            </Empty>
          ) : (
            <div className="scroll">
              <table className="table">
                <thead>
                  <tr>
                    <th>File</th>
                    <th>Written by</th>
                    <th>Changed</th>
                    <th className="right">Size</th>
                    <th>
                      <span className="unseen">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {files.map((file) => (
                    <tr key={file.path}>
                      <td>
                        <button
                          type="button"
                          className="button plain small"
                          onClick={() => setShown(file.path)}
                        >
                          {file.path}
                        </button>
                      </td>
                      <td className="quiet">
                        {file.source_run_id ? (
                          <Link to="/runs/$runId" params={{ runId: file.source_run_id }}>
                            a run
                          </Link>
                        ) : (
                          'a person'
                        )}
                      </td>
                      <td className="quiet nowrap">
                        <Ago at={file.updated_at} />
                      </td>
                      <td className="right quiet">{bytes(file.size_bytes)}</td>
                      <td className="right">
                        {mayWrite && (
                          <ConfirmButton
                            label="Delete"
                            className="button small danger"
                            title={`Delete ${file.path}?`}
                            confirm="Delete it"
                            disabled={remove.isPending}
                            onConfirm={() => remove.mutate({ agent_id: agentId, path: file.path })}
                          >
                            The agent forgets what is in it.
                          </ConfirmButton>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      {shown !== undefined && (
        <MemoryDialog agentId={agentId} path={shown} onClose={() => setShown(undefined)} />
      )}
    </Card>
  );
}

function MemoryDialog({ agentId, path, onClose }: { agentId: string; path: string; onClose: () => void }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['agent', agentId, 'memory-file', path],
    queryFn: async () =>
      path === '' ? '' : (await client.getAgentMemoryFile({ agent_id: agentId, path })).content,
    gcTime: 0,
  });
  return (
    <Dialog title={path === '' ? 'New file' : path} large onClose={onClose}>
      <Loaded query={query}>
        {(content) => <MemoryForm agentId={agentId} path={path} content={content} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

interface MemoryFormProps {
  readonly agentId: string;
  readonly path: string;
  readonly content: string;
  readonly onClose: () => void;
}

function MemoryForm({ agentId, path, content, onClose }: MemoryFormProps) {
  const client = useClient();
  const mayWrite = useMay()('agents:write');
  const [name, setName] = useState(path);
  const [text, setText] = useState(content);
  const save = useAction(client.putAgentMemoryFile, {
    stale: [['agent', agentId, 'memory']],
    said: 'Saved.',
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ agent_id: agentId, path: name, content: text });
  };
  return (
    <form className="stack" onSubmit={submit}>
      {path === '' && (
        <Field label="Path" hint="Such as notes/customers.md">
          {(ids) => (
            <input
              {...ids}
              className="input mono"
              required
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
      )}
      <textarea
        className="input mono"
        rows={14}
        aria-label="Content"
        readOnly={!mayWrite}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="foot">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        {mayWrite && (
          <button type="submit" className="button primary" disabled={save.isPending}>
            Save
          </button>
        )}
      </div>
    </form>
  );
}
