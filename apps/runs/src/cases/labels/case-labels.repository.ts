import { createHash } from 'node:crypto';
import { AppError, type NewCaseLabel } from '@aos/contracts';
import { isUniqueViolation, newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { findLabels, linkLabels, makeLabels, unlinkOthers } from './case-labels.sql.js';
import { CaseLabelEntity, CaseLabelLinkEntity } from './label.entities.js';

/** A colour for the labels of a key, the same each time. */
export function hueOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE(0) % 360;
}

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
      throw new AppError('already_exists', 'The queue already has a label with this key and value.');
    }
  }
}

/** Labels of a queue, as cases are given them. */
@Injectable()
export class CaseLabelLinks {
  constructor(private readonly transactions: Transactions) {}

  /**
   * In the open transaction: the ids of labels, by key and value; those that are not there are made. In order, so that
   * two who make the same wait for each other and do not stand in each other's way.
   */
  async ensure(
    teamId: string,
    queueId: string,
    labels: readonly NewCaseLabel[],
  ): Promise<(label: NewCaseLabel) => string> {
    const wanted = new Map(labels.map((label) => [nameOf(label), label]));
    const rows = [...wanted]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { key, value }]) => ({ id: newId(), key, value, hue: hueOf(key) }));
    const found = new Map<string, string>();
    if (rows.length > 0) {
      const input = JSON.stringify(rows);
      await this.transactions.query(makeLabels, [input, teamId, queueId]);
      // A statement of its own, that sees what another has committed meanwhile.
      const there = await this.transactions.query<{ id: string; key: string; value: string }>(findLabels, [
        input,
        queueId,
      ]);
      for (const label of there) found.set(nameOf(label), label.id);
    }
    return (label) => found.get(nameOf(label))!;
  }

  /** In the open transaction: these, and no others. */
  async replace(caseId: string, labelIds: readonly string[]): Promise<void> {
    await this.transactions.query(unlinkOthers, [caseId, labelIds]);
    await this.link(caseId, labelIds);
  }

  async unlink(caseId: string, labelIds: readonly string[]): Promise<void> {
    await this.transactions
      .repository(CaseLabelLinkEntity)
      .delete({ case_id: caseId, label_id: In(labelIds) });
  }

  async link(caseId: string, labelIds: readonly string[]): Promise<void> {
    await this.transactions.query(linkLabels, [caseId, labelIds]);
  }
}

function nameOf({ key, value }: NewCaseLabel): string {
  return JSON.stringify([key, value]);
}
