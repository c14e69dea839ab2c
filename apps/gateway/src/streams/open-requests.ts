import { finished } from 'node:stream/promises';
import { FairLimiter } from '@aos/background';
import { AppError, type Principal } from '@aos/contracts';
import { Metrics, Shutdown, TransientSet, type Gauge } from '@aos/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';
import { untilAborted } from './abort.js';

type RequestKind = 'stream' | 'wait' | 'download';

interface OpenRequest {
  readonly controller: AbortController;
  readonly kind: RequestKind;
  readonly reply: FastifyReply;
}

/** Why such a request is over; the reason of its signal. */
export const clientGone = Symbol('the client has gone');
const shuttingDown = Symbol('the process shuts down');

/** Time left of a shutdown for the last bytes of answers. Downloads get longer: not every client can resume. */
const lastBytesMs: Readonly<Record<RequestKind, number>> = { stream: 2_000, wait: 2_000, download: 5_000 };
/** How long a client may take nothing of what lies ready for it. */
const unreadMs = 60_000;
/** Capacity is released when a run ends or a client goes, which cannot be predicted. */
const retryAfterSeconds = 5;

/**
 * Tracks requests whose answer is put off or goes on: each ends when its client goes or the process shuts down. Limits
 * them by credential, and by team however many credentials it makes: the connections of a gateway are for all.
 */
@Injectable()
export class OpenRequests implements OnModuleInit {
  private readonly requests = new TransientSet<OpenRequest>();
  private readonly open: Record<RequestKind, Gauge>;
  private readonly credentials: FairLimiter;
  private readonly teams: FairLimiter;
  private closing = false;

  constructor(
    private readonly shutdown: Shutdown,
    metrics: Metrics,
    @Inject(GatewaySettings)
    private readonly config: Pick<GatewayConfig, 'HELD_REQUESTS_PER_CREDENTIAL' | 'HELD_REQUESTS_PER_TEAM'>,
  ) {
    this.credentials = new FairLimiter({ maxPerKey: config.HELD_REQUESTS_PER_CREDENTIAL });
    this.teams = new FairLimiter({ maxPerKey: config.HELD_REQUESTS_PER_TEAM });
    this.open = {
      stream: metrics.gauge({ name: 'aos_open_run_streams', help: 'Event streams that are open' }),
      wait: metrics.gauge({ name: 'aos_open_run_waits', help: 'Requests that wait for a run to end' }),
      download: metrics.gauge({ name: 'aos_open_downloads', help: 'Files and exports that are being sent' }),
    };
  }

  onModuleInit(): void {
    // In the phase in which the HTTP server waits for its open requests.
    this.shutdown.add('stop-intake', 'open streams, waits and downloads', () => this.close());
  }

  /** To be called before anything is done for a request; returns the function that releases its capacity. */
  acquire({ credentialId, teamId }: Principal): () => void {
    const team = teamId ?? credentialId;
    if (!this.credentials.tryAcquire(credentialId)) {
      throw tooMany('The credential', this.config.HELD_REQUESTS_PER_CREDENTIAL);
    }
    if (!this.teams.tryAcquire(team)) {
      this.credentials.release(credentialId);
      throw tooMany('The team', this.config.HELD_REQUESTS_PER_TEAM);
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.credentials.release(credentialId);
      this.teams.release(team);
    };
  }

  /** Gives the work a signal, and counts it, as long as it lasts. */
  async track<T>(
    kind: RequestKind,
    reply: FastifyReply,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    const gone = () => controller.abort(clientGone);
    reply.raw.once('close', gone);
    const forget = this.requests.add({ controller, kind, reply });
    this.open[kind].inc();
    if (reply.raw.destroyed) gone();
    if (this.closing) controller.abort(shuttingDown);
    try {
      return await work(controller.signal);
    } finally {
      this.open[kind].dec();
      forget();
      reply.raw.off('close', gone);
    }
  }

  /**
   * Counts an answer whose bytes are about to be sent, until its client has them all or has gone. One that takes nothing of
   * them for long is cut off; a source that is slow is not its fault.
   */
  download(reply: FastifyReply, leave: () => void, maxUnreadMs = unreadMs): void {
    const { raw } = reply;
    raw.setTimeout(maxUnreadMs, () => {
      if (raw.writableLength > 0) raw.destroy();
    });
    void this.track('download', reply, untilAborted).finally(leave);
  }

  private async close(): Promise<void> {
    this.closing = true;
    const open = [...this.requests];
    for (const { controller } of open) controller.abort(shuttingDown);
    await Promise.all(
      open.map(({ kind, reply }) => {
        const signal = AbortSignal.timeout(lastBytesMs[kind]);
        return finished(reply.raw, { signal, cleanup: true }).catch(() => reply.raw.destroy());
      }),
    );
  }
}

function tooMany(holder: string, max: number): AppError {
  const message = `${holder} has ${max} event streams, waits and downloads open at once.`;
  return new AppError('rate_limited', message, { retryAfterSeconds });
}
