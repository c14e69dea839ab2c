import type { Build } from '@aos/client';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import type { DraftInHand } from './use-draft';

interface LostDraftProps {
  readonly build: Build;
  readonly inHand: DraftInHand;
  readonly onShow: (buildId: string, isSafe?: boolean) => void;
}

/** Somebody else has made a draft live while it was changed here: what was typed is kept in a draft of its own. */
export function LostDraft({ build, inHand, onShow }: LostDraftProps) {
  const client = useClient();
  const keep = useAction(client.createRevision, {
    stale: [['agent', build.agent_id], ['agents']],
    said: 'Your changes are in a new draft.',
    onDone: ({ build_id: buildId }) => {
      inHand.drop();
      onShow(buildId, true);
    },
  });
  return (
    <div className="banner warn" role="alert">
      <div className="grow">
        Revision {build.revision_number} is no longer a draft: it went live while you were changing it. Your
        changes are not saved.
      </div>
      <button
        type="button"
        className="button small"
        disabled={keep.isPending}
        onClick={() => keep.mutate({ agent_id: build.agent_id, config: inHand.config })}
      >
        Save as a new draft
      </button>
      <button type="button" className="button small danger" disabled={keep.isPending} onClick={inHand.drop}>
        Discard
      </button>
    </div>
  );
}
