import { newId, Transactions } from '@aos/persistence';
import type { GrantedScope } from '@aos/contracts';
import { hashToken, randomToken } from '@aos/secrets';
import { Injectable } from '@nestjs/common';
import { sessionTokenPrefix } from '../credentials.js';
import { deleteOldSessions, insertSession, noteUse, sessionByHash } from './sessions.sql.js';
import { SignInSessionEntity } from './sign-in-session.entity.js';

/** Why a session is over although its token is known. */
export type SessionEnd = 'key_revoked' | 'key_expired' | 'expired';

/** A session with the API key that opened it, as both are now. */
export interface FoundSession {
  readonly id: string;
  readonly team_id: string;
  readonly api_key_id: string;
  readonly expires_at: Date;
  readonly key_name: string;
  readonly scopes: readonly GrantedScope[];
  readonly key_expires_at: Date | null;
  readonly state: 'open' | SessionEnd;
}

@Injectable()
export class SessionsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Opens a session for an API key; gives its token, which is kept nowhere. */
  async open(key: { readonly id: string; readonly teamId: string }): Promise<string> {
    const token = randomToken(sessionTokenPrefix);
    await this.transactions.run(async () => {
      await this.transactions.query(insertSession, [newId(), key.teamId, key.id, hashToken(token)]);
      await this.transactions.query(deleteOldSessions, [key.id]);
    });
    return token;
  }

  /** The one look-up that knows no team yet: the token is what tells it. */
  async find(token: string): Promise<FoundSession | undefined> {
    const [row] = await this.transactions.query<FoundSession & { is_use_due: boolean }>(sessionByHash, [
      hashToken(token),
    ]);
    if (!row) return undefined;
    const { is_use_due: isUseDue, ...session } = row;
    if (session.state === 'open' && isUseDue) await this.transactions.query(noteUse, [session.id]);
    return session;
  }

  async close(token: string): Promise<void> {
    await this.transactions.repository(SignInSessionEntity).delete({ hash: hashToken(token) });
  }
}
