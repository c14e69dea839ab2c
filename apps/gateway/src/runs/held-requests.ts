import { finished } from 'node:stream/promises';
import { Metrics, Shutdown, type Gauge } from '@aos/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

type HeldKind = 'stream' | 'wait';

/** Why a held request is over; the reason of its signal. */
export const clientGone = Symbol('the client has gone');
const shuttingDown = Symbol('the process shuts down');

/** What is left of a shutdown for the last bytes of answers; a client that reads nothing must not hold it up. */
const lastBytesMs = 2_000;

/** Requests whose answer is put off or goes on: each ends when its client goes or the process shuts down. */
@Injectable()
export class HeldRequests implements OnModuleInit {
  private readonly held = new Map<AbortController, FastifyReply>();
  private readonly open: Record<HeldKind, Gauge>;
  private closing = false;

  constructor(
    @Inject(Shutdown) private readonly shutdown: Shutdown,
    @Inject(Metrics) metrics: Metrics,
  ) {
    this.open = {
      stream: metrics.gauge({ name: 'aos_open_run_streams', help: 'Event streams of runs that are open' }),
      wait: metrics.gauge({ name: 'aos_open_run_waits', help: 'Requests that wait for a run to end' }),
    };
  }

  onModuleInit(): void {
    // In the phase in which the HTTP server waits for its open requests.
    this.shutdown.add('stop-intake', 'held requests', () => this.close());
  }

  async hold<T>(kind: HeldKind, reply: FastifyReply, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const gone = () => controller.abort(clientGone);
    reply.raw.once('close', gone);
    this.held.set(controller, reply);
    this.open[kind].inc();
    if (reply.raw.destroyed) gone();
    if (this.closing) controller.abort(shuttingDown);
    try {
      return await work(controller.signal);
    } finally {
      this.open[kind].dec();
      this.held.delete(controller);
      reply.raw.off('close', gone);
    }
  }

  private async close(): Promise<void> {
    this.closing = true;
    const open = [...this.held];
    for (const [controller] of open) controller.abort(shuttingDown);
    const signal = AbortSignal.timeout(lastBytesMs);
    await Promise.all(
      open.map(([, { raw }]) => finished(raw, { signal, cleanup: true }).catch(() => raw.destroy())),
    );
  }
}
