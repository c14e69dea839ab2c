import { findRun, getAgentRun, getRun, getRunAsTask, type Req, startRun, stopRun } from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { toCase } from '../cases/case.mapper.js';
import { EvaluationsService } from '../evaluations/evaluations.service.js';
import { toHumanRequest } from '../lifecycle/human-requests/human-requests.service.js';
import { runAnswer } from '../run-core/run.mapper.js';
import { RunsService } from './runs.service.js';

@Controller()
export class RunsHandlers {
  constructor(
    private readonly runs: RunsService,
    private readonly evaluations: EvaluationsService,
  ) {}

  @Handles(startRun)
  async startRun({ teamId, principal, body, keyRecord, channel }: Req<typeof startRun>) {
    return runAnswer(await this.runs.start(teamId, principal, body, { keyRecord, channel }));
  }

  @Handles(getRun)
  async getRun({ teamId, params }: Req<typeof getRun>) {
    const { run, pending } = await this.runs.get(teamId, params.run_id);
    return { ...runAnswer(run), pending_human_request: pending ? toHumanRequest(pending) : null };
  }

  @Handles(stopRun)
  async stopRun({ params, ...caller }: Req<typeof stopRun>) {
    const { status, stopped } = await this.runs.stop(caller, params.run_id);
    const message = stopped ? undefined : 'The run had ended already.';
    return { run_id: params.run_id, status, success: true as const, message };
  }

  @Handles(getAgentRun)
  async getAgentRun({ teamId, params }: Req<typeof getAgentRun>) {
    const { run, build, humanRequests, filesTotal, relatedCase } = await this.runs.getOfAgent(
      teamId,
      params.agentId,
      params.runId,
    );
    const pending = humanRequests.find(({ status }) => status === 'pending');
    return {
      ...runAnswer(run),
      pending_human_request: pending ? toHumanRequest(pending) : null,
      agent: { id: run.agent_id, agent_id: run.agent_id, name: run.agent_name },
      build,
      human_requests: humanRequests.map(toHumanRequest),
      files_total: filesTotal,
      messages_total: run.message_seq,
      case: relatedCase ? toCase(relatedCase) : null,
      evaluation: await this.evaluations.ofRun(teamId, run.id),
    };
  }

  @HandlesInternal(getRunAsTask)
  async getRunAsTask({ team_id, run_id }: Req<typeof getRunAsTask>) {
    const { run, pending, firstEnd } = await this.runs.getAsTask(team_id, run_id);
    return {
      ...runAnswer(run),
      pending_human_request: pending ? toHumanRequest(pending) : null,
      first_end: firstEnd && { ...firstEnd, ended_at: new Date(firstEnd.ended_at).toISOString() },
    };
  }

  @HandlesInternal(findRun)
  async findRun({ team_id, run_id }: Req<typeof findRun>): Promise<{ found: boolean }> {
    return { found: await this.runs.exists(team_id, run_id) };
  }
}
