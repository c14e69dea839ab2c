import { useState, type ReactNode } from 'react';
import { Dialog } from './dialog';

interface ConfirmProps {
  readonly label: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly className?: string;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
}

/** A button that asks before it does what cannot be undone. */
export function ConfirmButton({
  label,
  title,
  children,
  confirm,
  className,
  disabled,
  onConfirm,
}: ConfirmProps) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <button
        type="button"
        className={className ?? 'button danger'}
        disabled={disabled}
        onClick={() => setAsks(true)}
      >
        {label}
      </button>
      {asks && (
        <Dialog title={title} onClose={() => setAsks(false)}>
          <div className="quiet">{children}</div>
          <div className="foot">
            <button type="button" className="button" onClick={() => setAsks(false)}>
              Cancel
            </button>
            <button
              type="button"
              className="button primary danger"
              onClick={() => {
                setAsks(false);
                onConfirm();
              }}
            >
              {confirm}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** A small button that deletes what the title names. */
export function DeleteButton({
  of,
  ...confirm
}: { of: string } & Pick<ConfirmProps, 'children' | 'disabled' | 'onConfirm'>) {
  return (
    <ConfirmButton
      label="Delete"
      className="button small danger"
      title={`Delete ${of}?`}
      confirm="Delete it"
      {...confirm}
    />
  );
}
