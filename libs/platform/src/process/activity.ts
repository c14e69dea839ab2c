/** A process to which nothing came for so long is quiet: what it does by itself is then most of what it does. */
const quietAfterMs = 30_000;

/** A process that has just started may find what the one before it has left. */
let activeAt = performance.now();
const waiting = new Set<() => void>();

/** Something came from outside: a request, a job, an event, a commit that recorded something. */
export function noteActivity(): void {
  activeAt = performance.now();
  if (waiting.size === 0) return;
  const listeners = [...waiting];
  waiting.clear();
  for (const listener of listeners) listener();
}

/** Whether nothing has come to this process for a while. Loops that look for what was lost may then look less often. */
export function isQuiet(): boolean {
  return performance.now() - activeAt > quietAfterMs;
}

/** Calls it when something comes, once. Returns what takes it back. */
export function onNextActivity(listener: () => void): () => void {
  waiting.add(listener);
  return () => waiting.delete(listener);
}
