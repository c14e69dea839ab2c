import { randomBytes } from 'node:crypto';
import { AppError } from '@aos/contracts';
import { SealedValues, Transactions } from '@aos/persistence';
import { Logger, Metrics } from '@aos/platform';
import { KeyRing, SealError } from '@aos/secrets';
import { Injectable } from '@nestjs/common';
import { secretOf } from './webhook-signature.js';
import { rotateSecret } from './rotate-secret.sql.js';
import { WebhookSecretEntity } from './webhook-secret.entity.js';

export interface WebhookSecret {
  readonly secret: string;
  readonly createdAt: Date;
  readonly previousExpiresAt: Date | null;
}

/** The columns that `WebhookSecrets.open` needs. */
export type SealedSecrets = Pick<WebhookSecretEntity, 'sealed' | 'previous_sealed' | 'previous_expires_at'>;

export type OpenedSecrets =
  | { readonly ok: true; readonly secrets: readonly string[] }
  | { readonly ok: false; readonly error: string };

const secretBytes = 32;
const cannotSign = 'The signing secret cannot be opened: the key that seals it is not in the key ring.';

/** The signing secret of each team: made when it is first needed, sealed at rest. */
@Injectable()
export class WebhookSecrets {
  private readonly reported = new Set<string>();
  private readonly unopened;

  constructor(
    private readonly transactions: Transactions,
    private readonly keyRing: KeyRing,
    private readonly logger: Logger,
    metrics: Metrics,
    values: SealedValues,
  ) {
    for (const column of ['sealed', 'previous_sealed']) {
      values.add({
        table: 'webhook_secret',
        column,
        key: ['team_id'],
        context: ({ team_id: teamId }) => contextOf(String(teamId)),
      });
    }
    this.unopened = metrics.counter({
      name: 'aos_webhook_secrets_unopened_total',
      help: 'Times that a signing secret could not be opened',
      labelNames: ['reason'],
    });
  }

  async read(teamId: string): Promise<WebhookSecret> {
    return this.toSecret(await this.ensure(teamId));
  }

  /** The row of a team, made if there is none; of processes that make it at the same time one does. */
  async ensure(teamId: string): Promise<WebhookSecretEntity> {
    const rows = this.transactions.repository(WebhookSecretEntity);
    const present = await rows.findOneBy({ team_id: teamId });
    if (present) return present;
    const made = { team_id: teamId, sealed: this.newSealed(teamId), created_at: () => 'now()' };
    await rows.createQueryBuilder().insert().values(made).orIgnore().execute();
    return rows.findOneByOrFail({ team_id: teamId });
  }

  async rotate(teamId: string, overlapSeconds: number): Promise<WebhookSecret> {
    const [row] = await this.transactions.query<WebhookSecretEntity>(rotateSecret, [
      teamId,
      this.newSealed(teamId),
      overlapSeconds,
    ]);
    return this.toSecret(row!);
  }

  /**
   * The secrets that sign at this moment, the present one first; an error if the present one cannot be opened. A former
   * one that cannot does not keep the present one from signing.
   */
  open(teamId: string, row: SealedSecrets, now = new Date()): OpenedSecrets {
    try {
      const present = this.keyRing.open(row.sealed, contextOf(teamId));
      return { ok: true, secrets: [present, ...this.former(teamId, row, now)] };
    } catch (error) {
      this.report(error);
      return { ok: false, error: cannotSign };
    }
  }

  private former(teamId: string, row: SealedSecrets, now: Date): string[] {
    if (row.previous_sealed === null || !isAhead(row.previous_expires_at, now)) return [];
    try {
      return [this.keyRing.open(row.previous_sealed, contextOf(teamId))];
    } catch (error) {
      this.report(error);
      return [];
    }
  }

  /** Once for each key that is missing: every delivery of every team may ask. */
  private report(error: unknown): void {
    if (!(error instanceof SealError)) throw error;
    this.unopened.inc({ reason: error.reason });
    const what = error.keyId ?? error.reason;
    if (this.reported.has(what)) return;
    this.reported.add(what);
    this.logger.error({ err: error, key_id: error.keyId }, 'decrypting a webhook secret failed');
  }

  private toSecret(row: WebhookSecretEntity): WebhookSecret {
    const opened = this.open(row.team_id, row);
    if (!opened.ok) throw new AppError('not_configured', `${opened.error} Rotate it to get a new one.`);
    return {
      secret: opened.secrets[0]!,
      createdAt: row.created_at,
      previousExpiresAt: isAhead(row.previous_expires_at, new Date()) ? row.previous_expires_at : null,
    };
  }

  private newSealed(teamId: string): string {
    return this.keyRing.seal(secretOf(randomBytes(secretBytes)), contextOf(teamId));
  }
}

function contextOf(teamId: string): string {
  return `webhook-secret:${teamId}`;
}

function isAhead(moment: Date | null, now: Date): boolean {
  return moment !== null && moment > now;
}
