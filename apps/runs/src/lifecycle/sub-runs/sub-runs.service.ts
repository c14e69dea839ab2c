import type { WakeableLoop } from '@aos/background';
import { AppError, type CopiedBuild, resolveBuilds, runProgress } from '@aos/contracts';
import { Broadcasts, ServiceClient } from '@aos/messaging';
import { isUniqueViolation, newId, PreparedStatements, Transactions } from '@aos/persistence';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { RunEntity } from '../../run-core/run.entity.js';
import { BuildSnapshots } from '../../run-core/starts/build-snapshots.js';
import { BuildResolver } from '../../run-core/starts/build-resolver.js';
import { RunRefused } from '../../run-core/starts/new-run.js';
import { RunStarts } from '../../run-core/starts/run-starts.js';
import { StopSweeps } from '../run-stops/run-stops.js';
import { findParent, findSubRun, leftSubRuns } from './sub-runs.sql.js';

/** The agents that a build may call. */
@Injectable()
export class SubAgents {
  constructor(private readonly services: ServiceClient) {}

  /** When a run begins, every agent that its build names must be there and its team's. */
  async assertAvailable(teamId: string, { config }: CopiedBuild): Promise<void> {
    const { sub_agents: agentIds } = config.data;
    if (agentIds.length === 0) return;
    const wanted = agentIds.map((agentId) => ({ team_id: teamId, agent_id: agentId }));
    const { found } = await this.services.call(resolveBuilds, { wanted });
    const missing = agentIds.filter((_, index) => !found[index]);
    if (missing.length === 0) return;
    const message = `The build names sub-agents that this team does not have: ${missing.join(', ')}.`;
    throw new RunRefused({ code: 'agent_unavailable', message });
  }
}

export type SubRun = Pick<RunEntity, 'id' | 'status' | 'result' | 'error'>;

export type ParentRun = Pick<
  RunEntity,
  'id' | 'depth' | 'user_id' | 'human_in_the_loop_enabled' | 'build_digest'
>;

@Injectable()
export class SubRunsRepository {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly transactions: Transactions,
  ) {}

  /** The run that a call has started, if it has. */
  async find(teamId: string, parentRunId: string, callId: string): Promise<SubRun | undefined> {
    const [row] = await this.statements.read<SubRun>(findSubRun, [teamId, parentRunId, callId]);
    return row;
  }

  async parent(teamId: string, runId: string): Promise<ParentRun> {
    const [row] = await this.statements.read<ParentRun>(findParent, [teamId, runId]);
    return row!;
  }

  /** Lists open sub-runs whose parent failed or was stopped. */
  async left(limit: number, except: readonly string[]): Promise<Pick<RunEntity, 'id' | 'team_id'>[]> {
    return this.transactions.query(leftSubRuns, [limit, except]);
  }
}

/** A call of another agent by a run. */
export interface AgentCall {
  readonly runId: string;
  readonly teamId: string;
  readonly callId: string;
  readonly agentId: string;
  readonly message: string;
}

/** A run of a run of a run; a circle of agents that call each other ends here. */
export const maxDepth = 5;

/** Runs that are started by runs: one for each call, however often the call is made. */
@Injectable()
export class SubRunsService {
  constructor(
    private readonly subRuns: SubRunsRepository,
    private readonly builds: BuildResolver,
    private readonly copies: BuildSnapshots,
    private readonly starts: RunStarts,
  ) {}

  /** The run of the call, as it stands now. Refused with a reason that can be told to the agent. */
  async of(call: AgentCall): Promise<SubRun> {
    return (await this.find(call)) ?? (await this.startOnce(call));
  }

  private find({ teamId, runId, callId }: AgentCall): Promise<SubRun | undefined> {
    return this.subRuns.find(teamId, runId, callId);
  }

  /** A worker that has lost the run without knowing it may be making the same call. */
  private async startOnce(call: AgentCall): Promise<SubRun> {
    try {
      return await this.start(call);
    } catch (error) {
      const other = isUniqueViolation(error, 'run_parent') ? await this.find(call) : undefined;
      if (!other) throw error;
      return other;
    }
  }

  private async start({ runId, teamId, callId, agentId, message }: AgentCall): Promise<SubRun> {
    const parent = await this.subRuns.parent(teamId, runId);
    await this.assertAllowed(parent, agentId);
    const found = await this.builds.find({ team_id: teamId, agent_id: agentId });
    return this.starts.start({
      id: newId(),
      teamId,
      found,
      message,
      source: 'agent',
      userId: parent.user_id,
      scheduleId: null,
      metadata: { parent_run_id: runId },
      humanInTheLoop: parent.human_in_the_loop_enabled,
      webhookUrl: null,
      parent: { runId, callId, depth: parent.depth },
    });
  }

  /** A build that names sub-agents may call those; one that names none, any of its team. */
  private async assertAllowed(parent: ParentRun, agentId: string): Promise<void> {
    if (parent.depth + 1 > maxDepth) {
      throw new AppError('invalid_state', `Agents may call each other at most ${maxDepth} levels deep.`);
    }
    const { config } = await this.copies.find(parent.build_digest);
    const { sub_agents: allowed } = config.data;
    if (allowed.length === 0 || allowed.includes(agentId)) return;
    throw new AppError('forbidden', `This agent may only call: ${allowed.join(', ')}.`);
  }
}

const lookEveryMs = 5_000;

/** Runs whose parent has failed: their answer is of no use any more, so they are stopped. */
@Injectable()
export class OrphanedSubRuns implements OnApplicationBootstrap {
  private readonly stopping: WakeableLoop;

  constructor(
    subRuns: SubRunsRepository,
    sweeps: StopSweeps,
    private readonly broadcasts: Broadcasts,
  ) {
    this.stopping = sweeps.add({
      name: 'the end of sub-runs whose parent has failed',
      what: 'the stop of a sub-run',
      idleMs: lookEveryMs,
      gatherMs: 100,
      reason: 'parent_failed',
      find: (limit, except) => subRuns.left(limit, except),
    });
  }

  onApplicationBootstrap(): void {
    this.broadcasts.listen(runProgress, ({ status }) => {
      if (status === 'failed') this.stopping.wake();
    });
  }
}
