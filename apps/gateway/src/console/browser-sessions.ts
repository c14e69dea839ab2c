import { AppError, type GrantedScope } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../auth/authenticator.js';
import { FailedAuthentications } from '../auth/failed-authentications.js';
import { RequestLimits } from '../auth/request-limits.js';
import { absoluteSeconds } from '../identity/sessions/session-limits.js';
import {
  SessionsRepository,
  type FoundSession,
  type SessionEnd,
} from '../identity/sessions/sessions.repository.js';
import { TeamsRepository } from '../identity/teams/teams.repository.js';

/** Sessions of the console. */
export interface SessionView {
  readonly team: { readonly id: string; readonly name: string };
  readonly api_key: { readonly id: string; readonly name: string; readonly expires_at: string | null };
  readonly scopes: readonly GrantedScope[];
  readonly expires_at: string;
}

const ends: Readonly<Record<SessionEnd, string>> = {
  key_revoked: 'The API key that you signed in with was revoked.',
  key_expired: 'The API key that you signed in with has expired.',
  expired: 'Your session has ended.',
};

/** Sessions of browsers: a cookie that no script reads, in place of an API key that one could. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly failures: FailedAuthentications,
    private readonly limits: RequestLimits,
    private readonly sessions: SessionsRepository,
    private readonly teams: TeamsRepository,
  ) {}

  /** Opens a session for an API key and ends the one that the browser had. */
  async open(apiKey: string, request: FastifyRequest, reply: FastifyReply): Promise<SessionView> {
    const principal = await this.failures.guard(request.ip, apiKey, () =>
      this.authenticator.authenticate(apiKey),
    );
    if (!principal) throw new AppError('invalid_token', 'This key is unknown, expired or revoked.');
    await this.limits.count(principal, reply);
    if (principal.kind !== 'api_key')
      throw new AppError('forbidden', 'Only an API key of a team can sign in.');
    const before = this.authenticator.sessionIn(request.headers);
    const token = await this.sessions.open({ id: principal.credentialId, teamId: principal.teamId });
    if (before !== undefined) await this.sessions.close(before);
    reply.header('set-cookie', this.authenticator.sessionCookie.keeping(token, absoluteSeconds));
    return this.viewOf((await this.sessions.find(token))!);
  }

  /** The session of the browser; undefined for one that has none. Says why one has ended. */
  async read(request: FastifyRequest, reply: FastifyReply): Promise<SessionView | undefined> {
    const token = this.authenticator.sessionIn(request.headers);
    if (token === undefined) return undefined;
    const session = await this.failures.guard(request.ip, token, () => this.sessions.find(token));
    if (session?.state === 'open') return this.viewOf(session);
    reply.header('set-cookie', this.authenticator.sessionCookie.removing);
    throw new AppError('invalid_token', ends[session?.state ?? 'expired']);
  }

  /** No-op without a session. */
  async close(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = this.authenticator.sessionIn(request.headers);
    if (token !== undefined) await this.sessions.close(token);
    reply.header('set-cookie', this.authenticator.sessionCookie.removing);
  }

  private async viewOf(session: FoundSession): Promise<SessionView> {
    const team = await this.teams.find(session.team_id);
    return {
      team: { id: session.team_id, name: team?.name ?? '' },
      api_key: {
        id: session.api_key_id,
        name: session.key_name,
        expires_at: session.key_expires_at?.toISOString() ?? null,
      },
      scopes: session.scopes,
      expires_at: session.expires_at.toISOString(),
    };
  }
}
