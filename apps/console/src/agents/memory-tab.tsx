import type { MemoryFile } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { gather } from '../data/lookups/gather';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { DeleteButton } from '../ui/confirm';
import { TextArea } from '../ui/controls';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { DialogForm } from '../ui/form-dialog';
import { bytes } from '../ui/format';
import { ResourceCard } from '../ui/resource-card';
import { Empty, Loaded } from '../ui/states';
import { Ago } from '../ui/time';

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
    <ResourceCard
      title="Memory"
      query={query}
      add={
        mayWrite && (
          <button type="button" className="button small" onClick={() => setShown('')}>
            New file
          </button>
        )
      }
      empty={
        <Empty title="It remembers nothing yet">
          <p>
            Runs read and write files here with the tools read_memory and write_memory. You can put some here
            too.
          </p>
        </Empty>
      }
      keyOf={({ path }) => path}
      columns={[
        {
          title: 'File',
          cell: ({ path }) => (
            <button type="button" className="button plain small" onClick={() => setShown(path)}>
              {path}
            </button>
          ),
        },
        { title: 'Written by', className: 'quiet', cell: writerOf },
        { title: 'Changed', className: 'quiet nowrap', cell: (file) => <Ago at={file.updated_at} /> },
        { title: 'Size', className: 'right quiet', cell: (file) => bytes(file.size_bytes) },
      ]}
      actions={({ path }) =>
        mayWrite && (
          <DeleteButton
            of={path}
            disabled={remove.isPending}
            onConfirm={() => remove.mutate({ agent_id: agentId, path })}
          >
            The agent forgets what is in it.
          </DeleteButton>
        )
      }
    >
      {shown !== undefined && (
        <MemoryDialog agentId={agentId} path={shown} onClose={() => setShown(undefined)} />
      )}
    </ResourceCard>
  );
}

function writerOf({ source_run_id: runId }: MemoryFile) {
  if (!runId) return 'a person';
  return (
    <Link to="/runs/$runId" params={{ runId }}>
      a run
    </Link>
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
  return (
    <DialogForm
      submit={mayWrite ? 'Save' : undefined}
      disabled={save.isPending}
      onSubmit={() => save.mutate({ agent_id: agentId, path: name, content: text })}
      onCancel={onClose}
    >
      {path === '' && (
        <TextField
          label="Path"
          hint="Such as notes/customers.md"
          className="input mono"
          required
          value={name}
          onChange={setName}
        />
      )}
      <TextArea
        className="input mono"
        rows={14}
        aria-label="Content"
        readOnly={!mayWrite}
        value={text}
        onChange={setText}
      />
    </DialogForm>
  );
}
