import { BackgroundLoops, CoolDown, type WakeableLoop } from '@aos/background';
import { DueRows, isStoreUnavailable, Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { QueueDispatch } from '../endpoint-queues/queue-dispatch.js';
import { FanOutRepository, type FanOutCursor } from './fan-out.repository.js';
import { anyTeamToServe } from './fan-out.sql.js';

/** Thresholds: from how many webhooks the fan-out takes a team, and its batch size. */
export const fanOutLimits = {
  /** A team with more webhooks is always left to it. */
  directWebhooks: 50,
  /** Deliveries to webhooks that one statement makes. A team has no more webhooks than that. */
  deliveries: 1_000,
  /** Events that are looked at in one go; most have no receiver. */
  events: 500,
};

const lookEveryMs = 1_000;

/**
 * Makes the deliveries of teams with many webhooks from their feeds: one team after the other, a bounded number each
 * time, so that no team waits for a large one. The cursor moves in the transaction that makes them: each once, in order.
 */
@Injectable()
export class FanOut {
  private readonly serving: WakeableLoop;
  private readonly resting = new CoolDown();

  constructor(
    private readonly repository: FanOutRepository,
    private readonly transactions: Transactions,
    private readonly dispatch: QueueDispatch,
    loops: BackgroundLoops,
    dueRows: DueRows,
    private readonly logger: Logger,
  ) {
    this.serving = loops.add({
      name: 'the fan-out to webhooks',
      idleMs: lookEveryMs,
      mayHaveWork: () => dueRows.any(anyTeamToServe),
      work: () => this.serveOne(),
    });
  }

  wake(): void {
    this.serving.wake();
  }

  /** True if there may be more. */
  private async serveOne(): Promise<boolean> {
    let team: FanOutCursor | undefined;
    try {
      const done = await this.transactions.run(async () => {
        team = await this.repository.next(this.resting.active());
        return team && this.serve(team);
      });
      if (done) await this.transactions.run(() => this.repository.finish(team!.team_id));
    } catch (error) {
      if (!team || isStoreUnavailable(error)) throw error;
      this.logger.error(
        { err: error, team_id: team.team_id },
        'fan-out of a team failed; other teams continue',
      );
      this.resting.add(team.team_id);
      return true;
    }
    return team !== undefined;
  }

  /** True if there was nothing left. */
  private async serve(team: FanOutCursor): Promise<boolean> {
    const to = await this.repository.measure(team, fanOutLimits);
    if (to === undefined) return true;
    const queues = await this.repository.make(team, to);
    await this.repository.moveTo(team.team_id, to);
    this.transactions.afterCommit(() => this.dispatch.wake(queues));
    return false;
  }
}
