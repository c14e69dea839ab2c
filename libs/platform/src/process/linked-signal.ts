/**
 * Gives work a signal that is aborted with the first of several, as long as the work lasts. It does what `AbortSignal.any`
 * does, for work that is done often: that one refers weakly to its sources, V8 takes weak references for strong ones
 * whenever it collects only young objects, and so whatever the signal can reach stays until the next full collection.
 */
export async function withLinkedSignal<T>(
  sources: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const follow = () => controller.abort(sources.find(({ aborted }) => aborted)?.reason);
  for (const source of sources) source.addEventListener('abort', follow);
  if (sources.some(({ aborted }) => aborted)) follow();
  try {
    return await work(controller.signal);
  } finally {
    for (const source of sources) source.removeEventListener('abort', follow);
  }
}
