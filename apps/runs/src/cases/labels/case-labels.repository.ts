import { AppError } from '@aos/contracts';
import { isUniqueViolation, newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { CaseLabelEntity, CaseLabelLinkEntity } from './label.entities.js';

type Fields = Pick<CaseLabelEntity, 'key' | 'value' | 'hue'>;

/** Writes the labels of queues. */
@Injectable()
export class CaseLabelsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Gives its id. */
  async insert(label: Fields & Pick<CaseLabelEntity, 'team_id' | 'queue_id'>): Promise<string> {
    const id = newId();
    const row = { ...label, id, created_at: () => 'now()' };
    await this.unlessTaken(() => this.transactions.repository(CaseLabelEntity).insert(row));
    return id;
  }

  async update(teamId: string, labelId: string, changes: Partial<Fields>): Promise<void> {
    const label = { id: labelId, team_id: teamId };
    await this.unlessTaken(() => this.transactions.repository(CaseLabelEntity).update(label, changes));
  }

  /** No case has it any more. False if it is not there. */
  async delete(teamId: string, queueId: string, labelId: string): Promise<boolean> {
    const label = { id: labelId, queue_id: queueId, team_id: teamId };
    const { affected } = await this.transactions.repository(CaseLabelEntity).delete(label);
    if (affected !== 1) return false;
    await this.transactions.repository(CaseLabelLinkEntity).delete({ label_id: labelId });
    return true;
  }

  private async unlessTaken(work: () => Promise<unknown>): Promise<void> {
    try {
      await this.transactions.savepoint(work);
    } catch (error) {
      if (!isUniqueViolation(error, 'case_label_name')) throw error;
      throw new AppError('already_exists', 'The queue has a label with this key and value.');
    }
  }
}
