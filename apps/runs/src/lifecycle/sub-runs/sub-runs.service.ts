import { AppError } from '@aos/contracts';
import { isUniqueViolation, newId } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { BuildCopies } from '../../run-core/starts/build-copies.js';
import { LiveBuilds } from '../../run-core/starts/live-builds.js';
import { RunStarts } from '../../run-core/starts/run-starts.js';
import { SubRunsRepository, type ParentRun, type SubRun } from './sub-runs.repository.js';

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
    private readonly builds: LiveBuilds,
    private readonly copies: BuildCopies,
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
      throw new AppError('invalid_state', `Agents may call each other ${maxDepth} deep, and this run is.`);
    }
    const { config } = await this.copies.find(parent.build_digest);
    const { sub_agents: allowed } = config.data;
    if (allowed.length === 0 || allowed.includes(agentId)) return;
    throw new AppError('forbidden', `This agent may only call: ${allowed.join(', ')}.`);
  }
}
