import { AsyncLocalStorage } from 'node:async_hooks';

/** What belongs to one request or job on its way through the services; every log line within carries it. */
export interface RequestContext {
  readonly requestId: string;
  /** A sound W3C traceparent, see `traceparentFrom`. */
  readonly traceparent: string;
  readonly teamId?: string;
  readonly operationId?: string;
  readonly runId?: string;
  /** Whether spans of its trace are recorded: only then is it worth keeping with work that is done later. */
  readonly recorded?: boolean;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `fn`, and all it awaits, within the context. */
export function runWithContext<Result>(context: RequestContext, fn: () => Result): Result {
  return storage.run({ ...context }, fn);
}

/** The context of the running request, or undefined outside one. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Adds what is known only later (the team after authentication) to the running context; no effect outside one. */
export function extendContext(fields: Pick<RequestContext, 'teamId' | 'operationId' | 'runId'>): void {
  const context = storage.getStore();
  if (context) Object.assign(context, fields);
}
