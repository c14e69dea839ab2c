import { PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { wakeParents } from './parent-runs.sql.js';
import { RunDispatch } from '../claims/run-dispatch.js';

/** Runs that wait for runs which they have started. */
@Injectable()
export class ParentRuns {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly dispatch: RunDispatch,
  ) {}

  /** Wakes those of them that need not wait any longer. If it fails, they wake by themselves a little later. */
  async wake(runIds: readonly string[]): Promise<void> {
    const rows = await this.statements.write<{ id: string; team_id: string }>(wakeParents, [runIds]);
    this.dispatch.add(rows.map(({ id, team_id: teamId }) => ({ runId: id, teamId })));
  }
}
