import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../ui/dialog';
import { useNotices } from '../ui/notices';
import { unsavedWork, type UnsavedWork } from '../ui/unsaved';

const hasUnsavedWork = () => unsavedWork().length > 0;

/** Asks before a link, the address bar or a reload takes away what was typed and is not saved. */
export function LeaveGuard() {
  const blocker = useBlocker({
    shouldBlockFn: hasUnsavedWork,
    enableBeforeUnload: hasUnsavedWork,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return <LeaveDialog works={unsavedWork()} onStay={blocker.reset} onLeave={blocker.proceed} />;
}

interface LeaveDialogProps {
  readonly works: readonly UnsavedWork[];
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

export function LeaveDialog({ works, onStay, onLeave }: LeaveDialogProps) {
  const [isSaving, setSaving] = useState(false);
  const { complain } = useNotices();
  const canSave = works.every(({ save }) => save !== undefined);
  const saveAndLeave = async () => {
    setSaving(true);
    try {
      await Promise.all(works.map(({ save }) => save!()));
    } catch (error) {
      complain(error);
      onStay();
      return;
    }
    onLeave();
  };
  return (
    <Dialog title="Leave without saving?" onClose={onStay}>
      <p>Not saved yet:</p>
      <ul className="listed">
        {works.map(({ what }) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
      <div className="foot">
        <button type="button" className="button" onClick={onStay}>
          Stay
        </button>
        <button type="button" className="button danger" disabled={isSaving} onClick={onLeave}>
          Leave without saving
        </button>
        {canSave && (
          <button
            type="button"
            className="button primary"
            disabled={isSaving}
            onClick={() => void saveAndLeave()}
          >
            {isSaving ? 'Saving…' : 'Save and leave'}
          </button>
        )}
      </div>
    </Dialog>
  );
}
