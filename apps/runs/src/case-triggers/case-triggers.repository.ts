import { AppError, notFound } from '@aos/contracts';
import { isUniqueViolation, newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { CaseTriggerEntity } from './case-trigger.entity.js';

/** A trigger as callers see it. */
export interface ShownTrigger extends CaseTriggerEntity {
  readonly queue_name: string;
  readonly conflicting: readonly { readonly agent_id: string; readonly name: string }[];
}

type Fields = Pick<CaseTriggerEntity, 'queue_id' | 'enabled' | 'concurrency'>;

/** Agents that were deleted have no triggers, whether or not those are swept yet. */
const shown = `
SELECT trigger.*, queue.name AS queue_name,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('agent_id', other.agent_id, 'name', other.agent_name)
                                  ORDER BY other.agent_name, other.agent_id), '[]')
          FROM case_trigger AS other
         WHERE other.queue_id = trigger.queue_id AND other.id <> trigger.id AND other.enabled
           AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = other.agent_id)) AS conflicting
  FROM case_trigger AS trigger JOIN case_queue AS queue ON queue.id = trigger.queue_id
 WHERE trigger.team_id = $1
   AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = trigger.agent_id)`;

@Injectable()
export class CaseTriggersRepository {
  constructor(private readonly transactions: Transactions) {}

  ofAgent(teamId: string, agentId: string): Promise<ShownTrigger[]> {
    return this.transactions.query<ShownTrigger>(`${shown} AND trigger.agent_id = $2`, [teamId, agentId]);
  }

  ofQueue(teamId: string, queueId: string): Promise<ShownTrigger[]> {
    return this.transactions.query<ShownTrigger>(
      `${shown} AND trigger.queue_id = $2 ORDER BY trigger.agent_name, trigger.id`,
      [teamId, queueId],
    );
  }

  async get(teamId: string, agentId: string, triggerId: string): Promise<ShownTrigger> {
    const [row] = await this.transactions.query<ShownTrigger>(
      `${shown} AND trigger.agent_id = $2 AND trigger.id = $3`,
      [teamId, agentId, triggerId],
    );
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
      throw new AppError('already_exists', 'The agent has a case trigger already.');
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

  async deleteOfQueue(teamId: string, queueId: string): Promise<void> {
    await this.transactions.repository(CaseTriggerEntity).delete({ queue_id: queueId, team_id: teamId });
  }
}
