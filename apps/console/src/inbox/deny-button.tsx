import { useState } from 'react';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { maxComment } from './max-comment';

interface DenyButtonProps {
  readonly title: string;
  /** What was written already. */
  readonly reason: string;
  readonly isBusy: boolean;
  readonly onDeny: (reason: string) => void;
}

/** Denies only with a reason, in a second step: it cannot be taken back, and the agent acts on the reason. */
export function DenyButton({ title, reason, isBusy, onDeny }: DenyButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button danger" disabled={isBusy} onClick={() => setOpen(true)}>
        Deny…
      </button>
      {isOpen && (
        <DenyDialog
          title={title}
          reason={reason}
          onClose={() => setOpen(false)}
          onDeny={(given) => {
            setOpen(false);
            onDeny(given);
          }}
        />
      )}
    </>
  );
}

interface DenyDialogProps extends Omit<DenyButtonProps, 'isBusy'> {
  readonly onClose: () => void;
}

function DenyDialog({ title, reason, onClose, onDeny }: DenyDialogProps) {
  const [text, setText] = useState(reason);
  return (
    <Dialog title={`Deny “${title}”?`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onDeny(text.trim());
        }}
      >
        <Field
          label="Reason"
          hint="The agent reads it and decides how to go on. A denial cannot be taken back."
        >
          {(ids) => (
            <textarea
              {...ids}
              className="input"
              required
              autoFocus
              rows={3}
              maxLength={maxComment}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <div className="foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary danger" disabled={text.trim() === ''}>
            Deny
          </button>
        </div>
      </form>
    </Dialog>
  );
}
