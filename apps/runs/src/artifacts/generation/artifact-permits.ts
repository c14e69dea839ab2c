import { AppError, artifactStopped, maxArtifactsOfTeam } from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import { Broadcasts } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { PlanTeamLimits } from '../../capacity/team-limits/plan-team-limits.js';
import { ArtifactsRepository } from '../artifacts.repository.js';

/** Whether a team may have pages made: its plan must have them, and its budget tokens left. */
@Injectable()
export class ArtifactPermits {
  constructor(
    private readonly entitlements: Entitlements,
    private readonly limits: PlanTeamLimits,
    private readonly artifacts: ArtifactsRepository,
    private readonly transactions: Transactions,
  ) {}

  /** Inside the transaction that asks for a page. */
  async assertMayMake(teamId: string): Promise<void> {
    await this.entitlements.assertFeature(teamId, 'artifacts');
    await this.limits.assertTokensLeft(teamId, 'pages');
  }

  /** Inside the transaction that makes an artifact: others of the team wait, so that the limit is exact. */
  async assertRoom(teamId: string): Promise<void> {
    await this.transactions.lock(`artifacts of ${teamId}`);
    if ((await this.artifacts.countOf(teamId)) < maxArtifactsOfTeam) return;
    throw new AppError('limit_reached', `A team has at most ${maxArtifactsOfTeam} artifacts.`);
  }
}

/** Tells the worker of an artifact to let go of it. One that does not hear it loses the lease a little later. */
@Injectable()
export class ArtifactStops {
  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly transactions: Transactions,
  ) {}

  /** Once the transaction has committed. */
  tell(artifactId: string): void {
    this.transactions.afterCommit(() => this.broadcasts.send(artifactStopped, [{ artifact_id: artifactId }]));
  }
}
