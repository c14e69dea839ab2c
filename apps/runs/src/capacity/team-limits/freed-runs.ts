import { hasEnded } from '@aos/contracts';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import type { ChangedRun } from '../../run-core/changes/run-change.js';
import { RunDispatch } from '../../run-core/claims/run-dispatch.js';
import { CommittedChanges } from '../../run-core/changes/committed-changes.js';
import { TeamLimits } from '../../run-core/claims/team-limits.js';

/** A run that ends, or waits for a person, lets the oldest run begin that waits for the team's limit. */
@Injectable()
export class FreedRuns {
  constructor(
    private readonly limits: TeamLimits,
    private readonly dispatch: RunDispatch,
    private readonly logger: Logger,
    committed: CommittedChanges,
  ) {
    committed.on('changed', (runs) => this.follow(runs));
  }

  private follow(runs: readonly ChangedRun[]): void {
    const teams = runs.filter(({ status }) => hasEnded(status) || status === 'waiting');
    for (const teamId of new Set(teams.map(({ team_id }) => team_id))) {
      this.limits.of(teamId).then(
        (limit) => limit && limit.concurrentRuns !== null && this.dispatch.wake(teamId),
        (error: unknown) => this.logger.warn({ err: error }, 'runs that wait were left to the reconciler'),
      );
    }
  }
}
