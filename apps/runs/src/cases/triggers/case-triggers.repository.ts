import { AppError, notFound } from '@aos/contracts';
import { isUniqueViolation, newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { CaseTriggerEntity } from './case-trigger.entity.js';
import {
  enabledTriggersOfAgents,
  oneTrigger,
  sweepTriggers,
  triggersOfAgent,
  triggersOfQueue,
} from './case-triggers.sql.js';

/** A trigger as callers see it. */
export interface PublicTrigger extends CaseTriggerEntity {
  readonly queue_name: string;
  readonly conflicting: readonly { readonly agent_id: string; readonly name: string }[];
}

type Fields = Pick<CaseTriggerEntity, 'queue_id' | 'enabled' | 'concurrency'>;

@Injectable()
export class CaseTriggersRepository {
  constructor(private readonly transactions: Transactions) {}

  ofAgent(teamId: string, agentId: string): Promise<PublicTrigger[]> {
    return this.transactions.query<PublicTrigger>(triggersOfAgent, [teamId, agentId]);
  }

  enabledOfAgents(teamId: string, agentIds: readonly string[]): Promise<PublicTrigger[]> {
    return this.transactions.query<PublicTrigger>(enabledTriggersOfAgents, [teamId, agentIds]);
  }

  ofQueue(teamId: string, queueId: string): Promise<PublicTrigger[]> {
    return this.transactions.query<PublicTrigger>(triggersOfQueue, [teamId, queueId]);
  }

  async get(teamId: string, agentId: string, triggerId: string): Promise<PublicTrigger> {
    const [row] = await this.transactions.query<PublicTrigger>(oneTrigger, [teamId, agentId, triggerId]);
    if (!row) throw notFound('The case trigger');
    return row;
  }

  async insert(teamId: string, agent: { id: string; name: string }, fields: Fields): Promise<string> {
    const id = newId();
    try {
      await this.transactions.savepoint(() =>
        this.transactions.repository(CaseTriggerEntity).insert({
          id,
          team_id: teamId,
          agent_id: agent.id,
          agent_name: agent.name,
          ...fields,
          created_at: () => 'now()',
          updated_at: () => 'now()',
        }),
      );
    } catch (error) {
      if (!isUniqueViolation(error, 'case_trigger_agent')) throw error;
      throw new AppError('already_exists', 'The agent already has a case trigger.');
    }
    return id;
  }

  async update(teamId: string, triggerId: string, changes: Partial<Fields>): Promise<void> {
    await this.transactions
      .repository(CaseTriggerEntity)
      .update({ id: triggerId, team_id: teamId }, { ...changes, updated_at: () => 'now()' });
  }

  async delete(teamId: string, agentId: string, triggerId: string): Promise<boolean> {
    const { affected } = await this.transactions
      .repository(CaseTriggerEntity)
      .delete({ id: triggerId, agent_id: agentId, team_id: teamId });
    return affected === 1;
  }

  /** Agents get other names; a trigger shows the one under which it last took a case. */
  async setAgentName(teamId: string, triggerId: string, name: string): Promise<void> {
    await this.transactions
      .repository(CaseTriggerEntity)
      .update({ id: triggerId, team_id: teamId }, { agent_name: name });
  }

  async deleteOfDeletedAgents(): Promise<void> {
    await this.transactions.query(sweepTriggers);
  }

  async deleteOfQueue(teamId: string, queueId: string): Promise<void> {
    await this.transactions.repository(CaseTriggerEntity).delete({ queue_id: queueId, team_id: teamId });
  }
}
