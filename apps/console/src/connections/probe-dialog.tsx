import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context';
import { Dialog } from '../ui/dialog';
import { Loaded } from '../ui/states';
import { ToolList } from './tool-list';

/** Asks a server for its tools, once. */
export function ProbeDialog({ serverUrl, onClose }: { serverUrl: string; onClose: () => void }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['connections', 'probe', serverUrl],
    queryFn: () => client.probeMcpServer({ server_url: serverUrl }),
    gcTime: 0,
  });
  return (
    <Dialog title="What the server says" onClose={onClose}>
      <Loaded query={query}>{(answer) => <ToolList answer={answer} />}</Loaded>
    </Dialog>
  );
}
