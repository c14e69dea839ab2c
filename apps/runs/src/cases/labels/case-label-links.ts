import type { NewCaseLabel } from '@aos/contracts';
import { newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { findLabels, linkLabels, makeLabels, unlinkOthers } from './case-label-links.sql.js';
import { CaseLabelLinkEntity } from './label.entities.js';
import { hueOf } from './label-hue.js';

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
