import { randomBytes } from 'node:crypto';
import { AppError } from '@aos/contracts';
import { SealedValues, Transactions } from '@aos/persistence';
import { Logger, Metrics } from '@aos/platform';
import { KeyRing, SealError } from '@aos/secrets';
import { Inject, Injectable } from '@nestjs/common';
import { secretOf } from './webhook-signature.js';
import type { WebhookSecretEntity } from './webhook-secret.entity.js';

export interface WebhookSecret {
  readonly secret: string;
  readonly createdAt: Date;
  readonly previousExpiresAt: Date | null;
}

/** The columns that `WebhookSecrets.open` needs. */
export type SealedSecrets = Pick<WebhookSecretEntity, 'sealed' | 'previous_sealed' | 'previous_expires_at'>;

export type OpenedSecrets =
  { readonly ok: true; readonly secrets: readonly string[] } | { readonly ok: false; readonly error: string };

const secretBytes = 32;
const cannotSign = 'The signing secret cannot be opened: the key that seals it is not in the key ring.';

/** The signing secret of each team: made when it is first needed, sealed at rest. */
@Injectable()
export class WebhookSecrets {
  private readonly told = new Set<string>();
  private readonly unopened;

  constructor(
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(KeyRing) private readonly keyRing: KeyRing,
    @Inject(Logger) private readonly logger: Logger,
    @Inject(Metrics) metrics: Metrics,
    @Inject(SealedValues) values: SealedValues,
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

  /** The row of a team, made if there is none; of those who make it at the same time one does. */
  async ensure(teamId: string): Promise<WebhookSecretEntity> {
    const find = 'SELECT * FROM webhook_secret WHERE team_id = $1';
    const [present] = await this.transactions.query<WebhookSecretEntity>(find, [teamId]);
    if (present) return present;
    await this.transactions.query(
      `INSERT INTO webhook_secret (team_id, sealed, created_at) VALUES ($1, $2, now())
       ON CONFLICT (team_id) DO NOTHING`,
      [teamId, this.newSealed(teamId)],
    );
    const [made] = await this.transactions.query<WebhookSecretEntity>(find, [teamId]);
    return made!;
  }

  async rotate(teamId: string, overlapSeconds: number): Promise<WebhookSecret> {
    const [row] = await this.transactions.query<WebhookSecretEntity>(
      `INSERT INTO webhook_secret AS present (team_id, sealed, created_at) VALUES ($1, $2, now())
       ON CONFLICT (team_id) DO UPDATE SET sealed = $2, created_at = now(),
         previous_sealed = CASE WHEN $3 > 0 THEN present.sealed END,
         previous_expires_at = CASE WHEN $3 > 0 THEN now() + make_interval(secs => $3) END
       RETURNING *`,
      [teamId, this.newSealed(teamId), overlapSeconds],
    );
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
      this.tell(error);
      return { ok: false, error: cannotSign };
    }
  }

  private former(teamId: string, row: SealedSecrets, now: Date): string[] {
    if (row.previous_sealed === null || !isAhead(row.previous_expires_at, now)) return [];
    try {
      return [this.keyRing.open(row.previous_sealed, contextOf(teamId))];
    } catch (error) {
      this.tell(error);
      return [];
    }
  }

  /** Once for each key that is missing: every delivery of every team may ask. */
  private tell(error: unknown): void {
    if (!(error instanceof SealError)) throw error;
    this.unopened.inc({ reason: error.reason });
    const what = error.keyId ?? error.reason;
    if (this.told.has(what)) return;
    this.told.add(what);
    this.logger.error({ err: error, key_id: error.keyId }, 'a webhook secret cannot be opened');
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

/** What a secret is sealed for. */
function contextOf(teamId: string): string {
  return `webhook-secret:${teamId}`;
}

function isAhead(moment: Date | null, now: Date): boolean {
  return moment !== null && moment > now;
}
