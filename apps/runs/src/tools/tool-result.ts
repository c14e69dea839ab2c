import { type EndedOutcome, retrying, TransientToolError } from '@aos/agent-runtime';
import { AppError } from '@aos/contracts';
import { FileStoreUnavailable, FileTooLarge } from '@aos/file-store';
import { isPassing } from '@aos/persistence';

/**
 * Bytes as text, or undefined if they are none: UTF-8 without NUL. Where they were cut off, a character of which only
 * the beginning is there is left out.
 */
export function textOf(bytes: Uint8Array, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

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

/**
 * Refusals go to the model, transient errors are retried, and all others are thrown: the model learns only that the
 * tool failed.
 */
export async function toolResult(work: () => Promise<unknown>): Promise<EndedOutcome> {
  try {
    return { kind: 'result', result: await work() };
  } catch (error) {
    if (error instanceof FileTooLarge) return toolError('The file is too large.');
    if (mayPass(error)) throw new TransientToolError('A part of the service is away for a moment.');
    if (error instanceof AppError) return toolError(error.message);
    throw error;
  }
}

export function toolError(message: string): EndedOutcome {
  return { kind: 'error', message };
}

function mayPass(error: unknown): boolean {
  if (error instanceof AppError) return error.status >= 500;
  return error instanceof FileStoreUnavailable || isPassing(error);
}
