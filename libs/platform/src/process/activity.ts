/** A process that has just started may find what the one before it has left. */
let activeAt = performance.now();

/** Something came from outside: a request, a job, an event, a commit that recorded something. */
export function noteActivity(): void {
  activeAt = performance.now();
}

/** Whether nothing has come to this process for so long. Loops that look for what was lost may then look less often. */
export function isQuiet(forMs: number): boolean {
  return performance.now() - activeAt > forMs;
}
