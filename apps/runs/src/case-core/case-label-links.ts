import type { NewCaseLabel } from '@aos/contracts';
import { newId, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
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
      await this.transactions.query(
        `INSERT INTO case_label (id, team_id, queue_id, key, value, hue, created_at)
         SELECT id, $2, $3, key, value, hue, now()
           FROM jsonb_to_recordset($1::jsonb) AS i(id uuid, key text, value text, hue smallint)
         ON CONFLICT (queue_id, key, value) DO NOTHING`,
        [input, teamId, queueId],
      );
      // A statement of its own, that sees what another has committed meanwhile.
      const there = await this.transactions.query<{ id: string; key: string; value: string }>(
        `SELECT label.id, label.key, label.value
           FROM jsonb_to_recordset($1::jsonb) AS i(key text, value text)
           JOIN case_label AS label ON label.queue_id = $2 AND label.key = i.key AND label.value = i.value`,
        [input, queueId],
      );
      for (const label of there) found.set(nameOf(label), label.id);
    }
    return (label) => found.get(nameOf(label))!;
  }

  /** In the open transaction: these, and no others. */
  async replace(caseId: string, labelIds: readonly string[]): Promise<void> {
    await this.transactions.query(
      'DELETE FROM case_label_link WHERE case_id = $1 AND label_id <> ALL ($2::uuid[])',
      [caseId, labelIds],
    );
    await this.link(caseId, labelIds);
  }

  async link(caseId: string, labelIds: readonly string[]): Promise<void> {
    await this.transactions.query(
      `INSERT INTO case_label_link (case_id, label_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING`,
      [caseId, labelIds],
    );
  }
}

function nameOf({ key, value }: NewCaseLabel): string {
  return JSON.stringify([key, value]);
}
