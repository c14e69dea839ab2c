import { ApiError } from '@aos/client';

const listeners = new Set<() => void>();

/** Calls the listener when the service says that a request is nobody's any more; gives what ends that. */
export function onUnauthorized(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function tellIfUnauthorized(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) for (const listener of listeners) listener();
}
