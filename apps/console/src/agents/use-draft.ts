import type { Build } from '@aos/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { changes, draftOf, edited, fieldErrors, since, type Edits } from './draft';

export type DraftInHand = ReturnType<typeof useDraft>;

/**
 * A draft as a person changes it. What is not changed follows the service, also when somebody else or the builder writes
 * it; what is changed stays until the service has taken it.
 */
export function useDraft(build: Build) {
  const client = useClient();
  const queries = useQueryClient();
  const [edits, setEdits] = useState<Edits>({});
  const open = changes(build.config, edits);
  /** Saves what is changed now. What is changed meanwhile stays unsaved. */
  const save = async (): Promise<void> => {
    const config = edited(build.config, open);
    const { build: saved } = await client.updateRevision({ build_id: build.build_id, config });
    // At once, or the fields would show what was before until the list is there again.
    queries.setQueryData<readonly Build[]>(['agent', build.agent_id, 'revisions'], (builds) =>
      builds?.map((one) => (one.build_id === saved.build_id ? saved : one)),
    );
    setEdits((now) => since(open, now));
  };
  const action = useAction<void, void>(save, {
    stale: [['agent', build.agent_id]],
    said: 'The draft is saved.',
  });
  return {
    draft: { ...draftOf(build.config), ...open },
    /** The whole of it, with what is changed. */
    config: edited(build.config, open),
    isChanged: Object.keys(open).length > 0,
    isSaving: action.isPending,
    errors: fieldErrors(action.error),
    change: (part: Edits) => setEdits((before) => ({ ...before, ...part })),
    save,
    send: () => action.mutate(),
    drop: () => setEdits({}),
  };
}
