import { drainLane } from '@aos/contracts';
import { Processes, type JobRun } from '@aos/messaging';
import { BackgroundLoops } from '@aos/background';
import { Inject, Injectable } from '@nestjs/common';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import { LaneDispatch } from '../endpoint-queues/lane-dispatch.js';
import { LaneDrains } from './lane-drains.js';
import { LanesRepository } from '../endpoint-queues/lanes.repository.js';

const sweepEveryMs = 1_000;
/** A job that comes in time is left its time. */
const overdueMs = 1_500;
const sweepPage = 500;
/** How often a lease is renewed within its time. */
const leaseShare = 3;

/** The workers of lanes, and the loops that keep their leases and bring back what Redis or a dead worker has lost. */
@Injectable()
export class LaneJobs {
  constructor(
    @Inject(LaneDrains) private readonly drains: LaneDrains,
    @Inject(LanesRepository) private readonly lanes: LanesRepository,
    @Inject(LaneDispatch) private readonly dispatch: LaneDispatch,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
    @Inject(WebhookSettings) settings: WebhookDispatcherConfig,
  ) {
    loops.add({
      name: 'the search for overdue webhooks',
      idleMs: sweepEveryMs,
      mayBeLeft: true,
      work: () => this.sweep(),
    });
    loops.add({
      name: 'the leases of lanes',
      idleMs: settings.WEBHOOK_LEASE_MS / leaseShare,
      until: 'close',
      work: async () => {
        await drains.renew();
        return false;
      },
    });
  }

  @Processes(drainLane)
  async drain(
    { lane_id: id, team_id }: { lane_id: string; team_id?: string },
    { signal }: JobRun,
  ): Promise<void> {
    const teamId = team_id ?? (await this.lanes.teamOf(id));
    if (teamId !== undefined) await this.drains.drain({ id, team_id: teamId }, signal);
  }

  private async sweep(): Promise<boolean> {
    await this.dispatch.rebuild(await this.lanes.overdue(overdueMs, sweepPage));
    return false;
  }
}
