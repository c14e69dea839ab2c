import { BackgroundLoops, Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { KeyRing, SealError } from '@aos/secrets';
import { Inject, Injectable } from '@nestjs/common';
import { keyIdOf } from './sealed-key-id.js';
import type { WebhookSecretEntity } from './webhook-secret.entity.js';
import { contextOf } from './webhook-secrets.js';

const batchSize = 100;
const againAfterMs = 3_600_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Rows of a key id, with the id that seals from now on: what is sealed with another is sealed again. */
export interface SealedByKey {
  readonly key_id: string;
  readonly values: number;
}

const staleRows = `
  SELECT * FROM webhook_secret
   WHERE team_id > $1 AND (split_part(sealed, '.', 2) <> $2 OR split_part(previous_sealed, '.', 2) <> $2)
   ORDER BY team_id LIMIT $3`;

/** Seals the secrets of teams with the present key, so that older keys can be retired. */
@Injectable()
export class Resealing {
  private after = firstId;

  constructor(
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(KeyRing) private readonly keyRing: KeyRing,
    @Inject(Logger) private readonly logger: Logger,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
  ) {
    loops.add({
      name: 'the sealing of webhook secrets with the present key',
      idleMs: againAfterMs,
      work: () => this.resealSome(),
    });
  }

  /** All that can be opened; how many rows it were. Does nothing where nothing is to be done. */
  async reseal(): Promise<number> {
    let total = 0;
    for (let after = firstId; ;) {
      const rows = await this.stale(after);
      for (const row of rows) if (await this.resealRow(row)) total += 1;
      if (rows.length < batchSize) return total;
      after = rows.at(-1)!.team_id;
    }
  }

  /** How many values each key has sealed. A key that is not listed can be retired. */
  async countByKey(): Promise<SealedByKey[]> {
    const rows = await this.transactions.query<{ key_id: string; count: string }>(
      `SELECT split_part(value, '.', 2) AS key_id, count(*)
         FROM webhook_secret CROSS JOIN unnest(ARRAY[sealed, previous_sealed]) AS sealed_values(value)
        WHERE value IS NOT NULL GROUP BY 1 ORDER BY 1`,
    );
    return rows.map(({ key_id, count }) => ({ key_id, values: Number(count) }));
  }

  /** True if there may be more. Those that cannot be opened are passed over until the next round. */
  private async resealSome(): Promise<boolean> {
    const rows = await this.stale(this.after);
    for (const row of rows) await this.resealRow(row);
    this.after = rows.length < batchSize ? firstId : rows.at(-1)!.team_id;
    return rows.length === batchSize;
  }

  private stale(after: string): Promise<WebhookSecretEntity[]> {
    return this.transactions.query<WebhookSecretEntity>(staleRows, [
      after,
      this.keyRing.currentKeyId,
      batchSize,
    ]);
  }

  /** Without effect on a row that was rotated meanwhile. */
  private async resealRow(row: WebhookSecretEntity): Promise<boolean> {
    const { team_id: teamId, sealed, previous_sealed: previous } = row;
    try {
      const expired = row.previous_expires_at === null || row.previous_expires_at <= new Date();
      const changed = await this.transactions.query(
        `UPDATE webhook_secret SET sealed = $2, previous_sealed = $3, previous_expires_at = CASE WHEN $3::text IS NOT NULL THEN previous_expires_at END
          WHERE team_id = $1 AND sealed = $4 AND previous_sealed IS NOT DISTINCT FROM $5 RETURNING team_id`,
        [
          teamId,
          this.renewed(teamId, sealed),
          previous === null || expired ? null : this.renewed(teamId, previous),
          sealed,
          previous,
        ],
      );
      return changed.length === 1;
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.logger.error(
        { err: error, team_id: teamId, key_id: keyIdOf(sealed) },
        'a webhook secret cannot be sealed with the present key',
      );
      return false;
    }
  }

  private renewed(teamId: string, sealed: string): string {
    if (keyIdOf(sealed) === this.keyRing.currentKeyId) return sealed;
    const context = contextOf(teamId);
    return this.keyRing.seal(this.keyRing.open(sealed, context), context);
  }
}
