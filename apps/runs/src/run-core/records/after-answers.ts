/**
 * Calls back when the answers of what has just been committed have left the process: they are gathered for one turn of
 * the event loop and written at the end of the next, so that work which begins in the third delays none of them.
 */
export function afterAnswers(work: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(work)));
}
