import { retrying, TransientToolError } from '@aos/agent-runtime';
import { toolResult } from './tool-result.js';

/** What was stored, or why it could not be. */
export type Stored<T> = { readonly value: T } | { readonly error: string };

/**
 * Stores what a call has brought. The call has been made, so it is only the storing that is tried again; why something
 * could not be stored is for the result of the call, which is kept.
 */
export async function storing<T>(write: () => Promise<T>, signal: AbortSignal): Promise<Stored<T>> {
  let value: T | undefined;
  const attempt = () =>
    toolResult(async () => {
      value = await write();
    });
  const isTransient = (error: unknown) => error instanceof TransientToolError;
  try {
    const outcome = await retrying(attempt, { isTransient, signal });
    return outcome.kind === 'result' ? { value: value as T } : { error: outcome.message };
  } catch (error) {
    if (!(error instanceof TransientToolError)) throw error;
    return { error: error.message };
  }
}
