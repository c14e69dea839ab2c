import type { Build } from '@aos/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { changes, draftOf, edited, fieldErrors, since, type Edits } from './draft';

/**
 * A draft as a person changes it. What is not changed follows the service, also when somebody else or the builder writes
 * it; what is changed stays until the service has taken it.
 */
export function useDraft(build: Build) {
  const client = useClient();
  const queries = useQueryClient();
  const [edits, setEdits] = useState<Edits>({});
  const [sent, setSent] = useState<Edits>({});
  const open = changes(build.config, edits);
  const save = useAction(client.updateRevision, {
    stale: [['agent', build.agent_id]],
    said: 'The draft is saved.',
    onDone: ({ build: saved }) => {
      // At once, or the fields would show what was before until the list is there again.
      queries.setQueryData<readonly Build[]>(['agent', build.agent_id, 'revisions'], (builds) =>
        builds?.map((one) => (one.build_id === saved.build_id ? saved : one)),
      );
      setEdits((now) => since(sent, now));
    },
  });
  return {
    draft: { ...draftOf(build.config), ...open },
    isChanged: Object.keys(open).length > 0,
    isSaving: save.isPending,
    errors: fieldErrors(save.error),
    change: (part: Edits) => setEdits((before) => ({ ...before, ...part })),
    send: () => {
      setSent(open);
      save.mutate({ build_id: build.build_id, config: edited(build.config, open) });
    },
  };
}
