import {
  anyObjectSchema,
  AppError,
  getRun,
  hasEnded,
  startRun,
  type OperationAnswer,
  type OperationEnvelope,
  type Principal,
  type RunProgress,
  type RunStatus,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Authenticator } from '../../auth/authenticator.js';
import { unlessAborted } from '../abort.js';
import { clientGone, OpenRequests } from '../open-requests.js';
import { RunProgressFeed } from './run-progress-feed.js';

/** startRun's shape, also for the answer of getRun, which tells what the run asks a person. The rest is passed on as it is. */
const stateSchema = startRun.response.extend({
  run: anyObjectSchema,
  pending_human_request: z.object({ id: z.string() }).nullish(),
});

export type RunState = z.output<typeof stateSchema>;

/** For whom a run is waited for, and how long. */
export interface Wait {
  readonly reply: FastifyReply;
  readonly waitMs: number;
  /** Told of every look at the run. */
  readonly seen?: (state: RunState) => void;
  /** A human request of which the one who waits knows: the run is waited for as long as it asks this. */
  readonly known?: string;
}

const maxWaitSeconds = 60;
const firstLookMs = 1_000;
const maxPauseMs = 5_000;
/** How long a process that shuts down waits for the state of a run; its owner may be going too. */
const lastLookMs = 1_000;

/**
 * `wait_seconds` of startRun. Between two looks at the run nothing is held but the client's connection: a
 * notification wakes the wait, and since it may be lost the wait also polls.
 */
@Injectable()
export class RunWaits {
  constructor(
    private readonly services: ServiceClient,
    private readonly feed: RunProgressFeed,
    private readonly requests: OpenRequests,
    private readonly authenticator: Authenticator,
    private readonly logger: Logger,
  ) {}

  /** Starts a run; the answer is put off until the run rests if the client asks for it. */
  async start(
    { principal }: Pick<OperationEnvelope, 'principal'>,
    wait: Wait,
    start: () => Promise<OperationAnswer>,
  ): Promise<OperationAnswer> {
    if (wait.waitMs === 0) return start();
    // Before there is a run: who is refused may ask again.
    const leave = this.requests.acquire(principal);
    try {
      return await this.settle(await start(), principal, wait);
    } finally {
      leave();
    }
  }

  /** Waits until a run that is there rests. */
  async resume(principal: Principal, runId: string, wait: Wait): Promise<RunState> {
    const leave = this.requests.acquire(principal);
    try {
      const state = await this.requests.track('wait', wait.reply, async (signal) => {
        const first = await this.look(runId, principal, signal);
        if (!first || rests(first.status, first, wait)) return first;
        return (await this.follow(first, { ...wait, principal, pauseMs: firstLookMs, signal })) ?? first;
      });
      if (state && (await this.mayHear(wait.reply))) return state;
      throw new AppError('unavailable', 'Reading the run failed; try again.', { retryAfterSeconds: 1 });
    } finally {
      leave();
    }
  }

  private async settle(
    started: OperationAnswer,
    principal: Principal,
    { reply, waitMs, seen }: Wait,
  ): Promise<OperationAnswer> {
    if (started.status !== startRun.status) return started;
    const first = stateSchema.parse(JSON.parse(started.body));
    seen?.(first);
    // The stored answer of a replay is as old as its run.
    const pauseMs = started.replayed ? 0 : firstLookMs;
    const state = await this.requests.track('wait', reply, (signal) =>
      this.follow(first, { principal, waitMs, pauseMs, signal, seen }),
    );
    if (!state || !(await this.mayHear(reply))) return started;
    return { ...started, body: stateText(state) };
  }

  /**
   * Whether the credential is as good as it was at the start. A short wait is answered from what is known of it anyway; who
   * cannot be asked about is told no more than that the run was started.
   */
  private async mayHear({ request }: FastifyReply): Promise<boolean> {
    const holds = await this.authenticator.stillHolds(request.headers).catch(() => undefined);
    if (holds === false)
      throw new AppError('invalid_token', 'The bearer credential was revoked, or has expired.');
    return holds === true;
  }

  /** The last state that was seen; none if the owner could not be asked: the run was started all the same. */
  private async follow(
    started: RunState,
    options: { principal: Principal; pauseMs: number; signal: AbortSignal } & Omit<Wait, 'reply'>,
  ): Promise<RunState | undefined> {
    const { principal, signal, seen } = options;
    const { run_id: runId } = started;
    const endsAt = performance.now() + options.waitMs;
    let { pauseMs } = options;
    let state: RunState | undefined;
    let last: RunProgress | undefined;
    for (;;) {
      const leftMs = endsAt - performance.now();
      // A notification that a look has proved wrong is not listened to again.
      const progress = await this.feed.next(runId, {
        wanted: (progress) => progress !== last && rests(progress.status),
        timeoutMs: Math.min(pauseMs, leftMs),
        signal,
      });
      last = progress ?? last;
      if (signal.reason === clientGone) return state;
      const isLast = signal.aborted || performance.now() >= endsAt;
      state = told(started, progress) ?? (await this.look(runId, principal, signal)) ?? state;
      if (state) seen?.(state);
      if (isLast || (state && rests(state.status, state, options))) return state;
      pauseMs = Math.min(Math.max(2 * pauseMs, firstLookMs), maxPauseMs);
    }
  }

  private async look(
    runId: string,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<RunState | undefined> {
    const envelope = { principal, params: { run_id: runId }, query: {}, body: undefined };
    try {
      const answer = await unlessAborted(
        this.services.callOperation(getRun, envelope),
        signal.aborted ? AbortSignal.timeout(lastLookMs) : signal,
      );
      return answer?.status === getRun.status ? stateSchema.parse(JSON.parse(answer.body)) : undefined;
    } catch (error) {
      // The next look may succeed; after the last one the client hears what is known.
      this.logger.debug({ err: error, run_id: runId }, 'reading the state of a run failed');
      return undefined;
    }
  }
}

/** The run as the notification of its end tells it; what that leaves out has stayed as it was at the start. */
function told(started: RunState, progress: RunProgress | undefined): RunState | undefined {
  if (!progress?.outcome) return undefined;
  const { status, outcome } = progress;
  return { ...started, status, run: { ...started.run, status, pending_reason: null, ...outcome } };
}

/** As startRun shows it. */
export function stateText({ pending_human_request: _asked, ...shown }: RunState): string {
  return JSON.stringify(shown);
}

/** Ended, or waiting for a person for something that is not known yet. */
function rests(status: RunStatus, state?: RunState, { known }: Pick<Wait, 'known'> = {}): boolean {
  if (status !== 'waiting') return hasEnded(status);
  return known === undefined || state?.pending_human_request?.id !== known;
}

/** Reads how long the client asks to wait. Anything but such a number was refused by the owner, or is no part of its body. */
export function waitSeconds(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 0;
  const { wait_seconds: seconds } = body as { wait_seconds?: unknown };
  return typeof seconds === 'number' && seconds >= 0 && seconds <= maxWaitSeconds ? seconds : 0;
}
