import { useSyncExternalStore } from 'react';
import { ago, duration } from './format';

const tickMs = 1_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: number | undefined;

/** One clock for all moments on the page; it stands still while none is shown. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    now = Date.now();
    for (const told of listeners) told();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** A moment as its distance; the moment itself when pointed at. */
export function Ago({ at }: { at: string | null | undefined }) {
  const present = useNow();
  if (!at) return <span className="quiet">–</span>;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {ago(at, Math.max(present, Date.now() - tickMs))}
    </time>
  );
}

/** How long something took, or has taken so far. */
export function Lasting({ from, to }: { from: string | null; to: string | null }) {
  const present = useNow();
  if (!from) return <span className="quiet">–</span>;
  return (
    <span className="nowrap">
      {duration(Math.max(0, (to ? Date.parse(to) : present) - Date.parse(from)))}
    </span>
  );
}

/** The time of day, for what lies close together. */
export function Clock({ at }: { at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={moment.toLocaleString()}>
      {moment.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })}
    </time>
  );
}

export function Moment({ at }: { at: string | null | undefined }) {
  if (!at) return <span className="quiet">–</span>;
  return <time dateTime={at}>{new Date(at).toLocaleString()}</time>;
}
