import { randomBytes } from 'node:crypto';
import { Transactions } from '@aos/persistence';
import { KeyRing } from '@aos/secrets';
import { Inject, Injectable } from '@nestjs/common';
import { secretOf } from '../sending/webhook-signature.js';
import type { WebhookSecretEntity } from './webhook-secret.entity.js';

export interface WebhookSecret {
  readonly secret: string;
  readonly createdAt: Date;
  readonly previousExpiresAt: Date | null;
}

/** The columns that `WebhookSecrets.open` needs. */
export type SealedSecrets = Pick<WebhookSecretEntity, 'sealed' | 'previous_sealed' | 'previous_expires_at'>;

const secretBytes = 32;

/** The signing secret of each team: made when it is first needed, sealed at rest. */
@Injectable()
export class WebhookSecrets {
  constructor(
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(KeyRing) private readonly keyRing: KeyRing,
  ) {}

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

  /** The secrets that sign at this moment, the present one first. */
  open(teamId: string, row: SealedSecrets, now = new Date()): string[] {
    const sealed = [row.sealed];
    if (row.previous_sealed !== null && isAhead(row.previous_expires_at, now))
      sealed.push(row.previous_sealed);
    return sealed.map((text) => this.keyRing.open(text, contextOf(teamId)));
  }

  private toSecret(row: WebhookSecretEntity): WebhookSecret {
    return {
      secret: this.keyRing.open(row.sealed, contextOf(row.team_id)),
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
