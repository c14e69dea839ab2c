import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { problemOfAction } from './problem';

interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly title: string;
  readonly detail?: string;
}

interface NoticeBoard {
  readonly say: (title: string) => void;
  /** Failures other than refusals of the service. */
  readonly warn: (title: string, detail?: string) => void;
  readonly complain: (error: unknown) => void;
  /** Shows the notices within an element, until what is returned is called. */
  readonly host: (element: HTMLElement) => () => void;
}

const nothing = () => undefined;
const Board = createContext<NoticeBoard>({
  say: nothing,
  warn: nothing,
  complain: nothing,
  host: () => nothing,
});
const shownMs = 6_000;
const complaintMs = 15_000;

/**
 * Short words about what the service has said, read aloud too. While a dialog is open they are in it: what is outside can
 * neither be read aloud nor be clicked then, and lies behind it.
 */
export function Notices({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const [hosts, setHosts] = useState<readonly HTMLElement[]>([]);
  const next = useRef(0);
  const drop = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const add = useCallback(
    (notice: Omit<Notice, 'id'>, ms: number) => {
      const id = (next.current += 1);
      setNotices((all) => [...all.slice(-3), { ...notice, id }]);
      window.setTimeout(() => drop(id), ms);
    },
    [drop],
  );
  const board = useMemo<NoticeBoard>(
    () => ({
      say: (title) => add({ tone: 'good', title }, shownMs),
      warn: (title, detail) => add({ tone: 'bad', title, detail }, complaintMs),
      complain: (error) => {
        const { title, advice, detail } = problemOfAction(error);
        add({ tone: 'bad', title: `${title} ${advice}`, detail }, complaintMs);
      },
      host: (element) => {
        setHosts((all) => [...all, element]);
        return () => setHosts((all) => all.filter((one) => one !== element));
      },
    }),
    [add],
  );
  const host = hosts.at(-1);
  return (
    <Board value={board}>
      {children}
      {host && createPortal(<NoticeList notices={notices} onDrop={drop} />, host)}
      {/* Always there: of a region that comes with its words in it nothing is read aloud. */}
      <NoticeList notices={host ? [] : notices} onDrop={drop} />
    </Board>
  );
}

function NoticeList({ notices, onDrop }: { notices: readonly Notice[]; onDrop: (id: number) => void }) {
  return (
    <div className="notices" role="status" aria-live="polite">
      {notices.map(({ id, tone, title, detail }) => (
        <div key={id} className={`banner ${tone}`}>
          <div className="grow">
            {title}
            {detail && <div className="small">{detail}</div>}
          </div>
          <button
            type="button"
            className="button plain small"
            aria-label="Dismiss"
            onClick={() => onDrop(id)}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}

export function useNotices(): NoticeBoard {
  return useContext(Board);
}
