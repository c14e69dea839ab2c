import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { problemOfAction } from './problem';

interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly title: string;
  readonly detail?: string;
}

interface NoticeBoard {
  readonly say: (title: string) => void;
  readonly complain: (error: unknown) => void;
}

const Board = createContext<NoticeBoard>({ say: () => undefined, complain: () => undefined });
const shownMs = 6_000;
const complaintMs = 15_000;

/** Short words about what the service has said, read aloud too. */
export function Notices({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
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
      complain: (error) => {
        const { title, advice, detail } = problemOfAction(error);
        add({ tone: 'bad', title: `${title} ${advice}`, detail }, complaintMs);
      },
    }),
    [add],
  );
  return (
    <Board value={board}>
      {children}
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
              onClick={() => drop(id)}
            >
              ✕
            </button>
          </div>
        ))}
      </div>
    </Board>
  );
}

export function useNotices(): NoticeBoard {
  return useContext(Board);
}
