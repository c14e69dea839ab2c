import { EventEmitter } from 'node:events';
import { AppError, notFound } from '@aos/contracts';
import {
  findPage,
  isUniqueViolation,
  newId,
  type Page,
  type PageRequest,
  Transactions,
} from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { CaseLabelEntity } from '../labels/label.entities.js';
import { QueueEntity, QueueProducerEntity } from './queue.entities.js';

interface ReadyQueueEvents {
  /** The queue may have a case that can be taken, or a trigger that may take one. */
  ready: [queueId: string];
}

/** Tells, in this process, of queues that are worth a look. What is lost with the process is found by the dispatch itself. */
@Injectable()
export class ReadyQueues extends EventEmitter<ReadyQueueEvents> {
  wake(queueId: string): void {
    this.emit('ready', queueId);
  }
}

@Injectable()
export class QueuesRepository {
  constructor(private readonly transactions: Transactions) {}

  page(teamId: string, page: PageRequest): Promise<Page<QueueEntity>> {
    const rows = this.transactions.repository(QueueEntity);
    return findPage(rows, { where: { team_id: teamId }, order: { name: 'ASC', id: 'ASC' } }, page);
  }

  countOf(teamId: string): Promise<number> {
    return this.transactions.repository(QueueEntity).countBy({ team_id: teamId });
  }

  async get(teamId: string, queueId: string): Promise<QueueEntity> {
    const row = await this.transactions.repository(QueueEntity).findOneBy({ id: queueId, team_id: teamId });
    if (!row) throw notFound('The queue');
    return row;
  }

  /** In the open transaction: the queue stays until it ends. It holds up nothing but a deletion. */
  async hold(teamId: string, queueId: string): Promise<QueueEntity> {
    const row = await this.locked(teamId, queueId, 'for_key_share');
    if (!row) throw notFound('The queue');
    return row;
  }

  /** In the open transaction: nothing is put into it until it ends. */
  async lock(teamId: string, queueId: string): Promise<void> {
    if (!(await this.locked(teamId, queueId, 'pessimistic_write'))) throw notFound('The queue');
  }

  async insert(teamId: string, name: string, description: string | null): Promise<QueueEntity> {
    const id = newId();
    await this.unlessTaken(() =>
      this.transactions.repository(QueueEntity).insert({
        id,
        team_id: teamId,
        name,
        description,
        created_at: () => 'now()',
        updated_at: () => 'now()',
      }),
    );
    return this.get(teamId, id);
  }

  async update(
    teamId: string,
    queueId: string,
    changes: Partial<Pick<QueueEntity, 'name' | 'description'>>,
  ): Promise<QueueEntity> {
    const { affected } = await this.unlessTaken(() =>
      this.transactions
        .repository(QueueEntity)
        .update({ id: queueId, team_id: teamId }, { ...changes, updated_at: () => 'now()' }),
    );
    if (affected !== 1) throw notFound('The queue');
    return this.get(teamId, queueId);
  }

  /** With what belongs to it beside cases. It is locked, and has no cases. */
  async delete(teamId: string, queueId: string): Promise<void> {
    await this.transactions.repository(QueueEntity).delete({ id: queueId, team_id: teamId });
    await this.transactions.repository(QueueProducerEntity).delete({ queue_id: queueId });
    await this.transactions.repository(CaseLabelEntity).delete({ queue_id: queueId });
  }

  async addProducer(queueId: string, agentId: string, agentName: string): Promise<void> {
    await this.transactions
      .repository(QueueProducerEntity)
      .upsert({ queue_id: queueId, agent_id: agentId, agent_name: agentName, produced_at: () => 'now()' }, [
        'queue_id',
        'agent_id',
      ]);
  }

  producers(queueId: string): Promise<QueueProducerEntity[]> {
    return this.transactions
      .repository(QueueProducerEntity)
      .find({ where: { queue_id: queueId }, order: { agent_name: 'ASC' }, take: 1_000 });
  }

  private locked(teamId: string, queueId: string, mode: 'for_key_share' | 'pessimistic_write') {
    return this.transactions
      .repository(QueueEntity)
      .findOne({ where: { id: queueId, team_id: teamId }, lock: { mode } });
  }

  private async unlessTaken<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.transactions.savepoint(work);
    } catch (error) {
      if (!isUniqueViolation(error, 'case_queue_name')) throw error;
      throw new AppError('already_exists', 'name: another queue of the team has this name.');
    }
  }
}
