import type { ReactNode } from 'react';
import { Dialog } from './dialog';

interface DialogFormProps {
  /** The text of the button that submits; without it there is no such button. */
  readonly submit?: string | undefined;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  readonly onSubmit: () => void;
  readonly onCancel?: (() => void) | undefined;
  /** Other buttons of the foot. */
  readonly buttons?: ReactNode;
  readonly children: ReactNode;
}

/** A form with its buttons at the foot of a dialog. */
export function DialogForm({
  submit,
  disabled,
  danger,
  onSubmit,
  onCancel,
  buttons,
  children,
}: DialogFormProps) {
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <div className="foot">
        {onCancel && (
          <button type="button" className="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        {buttons}
        {submit && (
          <button
            type="submit"
            className={danger ? 'button primary danger' : 'button primary'}
            disabled={disabled}
          >
            {submit}
          </button>
        )}
      </div>
    </form>
  );
}

interface FormDialogProps extends Omit<DialogFormProps, 'onCancel'> {
  readonly title: string;
  readonly large?: boolean;
  readonly onClose: () => void;
}

/** A dialog that is one form, which can be cancelled. */
export function FormDialog({ title, large, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} large={large} onClose={onClose}>
      <DialogForm {...form} onCancel={onClose} />
    </Dialog>
  );
}
