import { useState } from 'react';
import { TextAreaField } from '../ui/field';
import { FormDialog } from '../ui/form-dialog';
import { maxComment } from './max-comment';

interface DenyButtonProps {
  readonly title: string;
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
    <FormDialog
      title={`Deny “${title}”?`}
      submit="Deny"
      danger
      disabled={text.trim() === ''}
      onSubmit={() => onDeny(text.trim())}
      onClose={onClose}
    >
      <TextAreaField
        label="Reason"
        hint="The agent reads it and decides how to go on. A denial cannot be taken back."
        required
        autoFocus
        rows={3}
        maxLength={maxComment}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  );
}
