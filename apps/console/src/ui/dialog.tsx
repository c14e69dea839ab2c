import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useNotices } from './notices';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly large?: boolean;
  readonly children: ReactNode;
}

/** The browser's own dialog: it keeps the focus, takes Escape and makes the rest inert. Shown while it is rendered. */
export function Dialog({ title, onClose, large = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { host } = useNotices();
  // Closed while it is still in the page: only then the browser gives the focus back to where it was.
  useLayoutEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  useEffect(() => host(element.current!), [host]);
  return (
    <dialog
      ref={element}
      className={large ? 'dialog large' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="button plain" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      <div className="content">{children}</div>
    </dialog>
  );
}
