import {
  createCaseTrigger,
  deleteCaseTrigger,
  findCaseTriggers,
  getCaseTrigger,
  listAgentCaseTriggers,
  notFound,
  type Req,
  updateCaseTrigger,
} from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { BuildResolver } from '../../run-core/starts/build-resolver.js';
import { QueuesRepository, ReadyQueues } from '../queues/queues.repository.js';
import { CaseTriggersRepository, type PublicTrigger } from './case-triggers.repository.js';

@Controller()
export class CaseTriggersHandlers {
  constructor(
    private readonly triggers: CaseTriggersRepository,
    private readonly queues: QueuesRepository,
    private readonly builds: BuildResolver,
    private readonly ready: ReadyQueues,
    private readonly transactions: Transactions,
  ) {}

  @Handles(listAgentCaseTriggers)
  async listAgentCaseTriggers({ teamId, params, query }: Req<typeof listAgentCaseTriggers>) {
    await this.builds.find({ team_id: teamId, agent_id: params.agent_id });
    const { limit, offset } = query;
    const rows = await this.triggers.ofAgent(teamId, params.agent_id);
    const page = { items: rows.slice(offset, offset + limit), total: rows.length, limit, offset };
    return listAnswer('case_triggers', page, toTrigger);
  }

  /** Asks first whether the agent is the team's, and writes then. */
  @Handles(createCaseTrigger)
  async createCaseTrigger({ teamId, params, body }: Req<typeof createCaseTrigger>) {
    const agentId = params.agent_id;
    const { agent_name: name } = await this.builds.find({ team_id: teamId, agent_id: agentId });
    return async () => {
      const { id: queueId } = await this.queues.hold(teamId, body.case_queue_id);
      const fields = { queue_id: queueId, enabled: body.enabled, concurrency: body.concurrency ?? null };
      const id = await this.triggers.insert(teamId, { id: agentId, name }, fields);
      this.wake(queueId);
      return oneTrigger(await this.triggers.get(teamId, agentId, id));
    };
  }

  @Handles(getCaseTrigger)
  async getCaseTrigger({ teamId, params }: Req<typeof getCaseTrigger>) {
    return oneTrigger(await this.triggers.get(teamId, params.agent_id, params.trigger_id));
  }

  @Handles(updateCaseTrigger)
  async updateCaseTrigger({ teamId, params, body }: Req<typeof updateCaseTrigger>) {
    const { agent_id: agentId, trigger_id: id } = params;
    const before = await this.triggers.get(teamId, agentId, id);
    const queueId = body.case_queue_id ?? before.queue_id;
    if (body.case_queue_id !== undefined) await this.queues.hold(teamId, queueId);
    const { enabled = before.enabled, concurrency = before.concurrency } = body;
    await this.triggers.update(teamId, id, { queue_id: queueId, enabled, concurrency });
    this.wake(queueId);
    return oneTrigger(await this.triggers.get(teamId, agentId, id));
  }

  @Handles(deleteCaseTrigger)
  async deleteCaseTrigger({ teamId, params }: Req<typeof deleteCaseTrigger>) {
    const { agent_id: agentId, trigger_id: id } = params;
    if (!(await this.triggers.delete(teamId, agentId, id))) throw notFound('The case trigger');
    return { success: true as const };
  }

  @HandlesInternal(findCaseTriggers)
  async findCaseTriggers({ team_id: teamId, agent_ids: agentIds }: Req<typeof findCaseTriggers>) {
    const rows = await this.triggers.enabledOfAgents(teamId, agentIds);
    return {
      triggers: rows.map(({ agent_id, queue_name, conflicting }) => ({
        agent_id,
        queue_name,
        conflicting_agents: [...conflicting],
      })),
    };
  }

  private wake(queueId: string): void {
    this.transactions.afterCommit(() => this.ready.wake(queueId));
  }
}

function oneTrigger(row: PublicTrigger) {
  return { trigger_id: row.id, case_trigger: toTrigger(row) };
}

function toTrigger(row: PublicTrigger) {
  return {
    id: row.id,
    trigger_id: row.id,
    agent_id: row.agent_id,
    case_queue_id: row.queue_id,
    case_queue_name: row.queue_name,
    enabled: row.enabled,
    concurrency: row.concurrency,
    has_conflict: row.conflicting.length > 0,
    conflicting_agents: [...row.conflicting],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
