import { SealedValues, Transactions } from '@aos/persistence';
import { hashToken, KeyRing } from '@aos/secrets';
import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import type { OAuthSetup } from '../oauth-client/authorization-server.js';
import { OAuthFlowEntity } from './oauth-flow.entity.js';
import { insertFlow, sweepFlows, takeFlow } from './oauth-flows.sql.js';

/** A consent that is under way, with its secrets. */
export interface Flow {
  readonly teamId: string;
  readonly connectionId: string;
  readonly provider: string | null;
  readonly serverUrl: string;
  readonly oauth: OAuthSetup;
  readonly scopes: readonly string[];
  readonly verifier: string;
  readonly clientSecret?: string;
  readonly returnUrl: string | null;
}

const sealedColumns = ['sealed_verifier', 'sealed_client_secret'] as const;

@Injectable()
export class OAuthFlowsRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly keyRing: KeyRing,
    values: SealedValues,
  ) {
    for (const column of sealedColumns) {
      values.add({
        table: 'oauth_flow',
        column,
        key: ['state_hash'],
        context: ({ state_hash: hash }) => contextOf(column, String(hash)),
      });
    }
  }

  /** Gives when it ends. */
  async insert(state: string, flow: Flow, lifeSeconds: number): Promise<Date> {
    const hash = hashToken(state);
    const { clientSecret } = flow;
    const [row] = await this.transactions.query<{ expires_at: Date }>(insertFlow, [
      hash,
      flow.teamId,
      flow.connectionId,
      flow.provider,
      flow.serverUrl,
      JSON.stringify(flow.oauth),
      flow.scopes,
      this.keyRing.seal(flow.verifier, contextOf('sealed_verifier', hash)),
      clientSecret === undefined
        ? null
        : this.keyRing.seal(clientSecret, contextOf('sealed_client_secret', hash)),
      flow.returnUrl,
      lifeSeconds,
    ]);
    return row!.expires_at;
  }

  /**
   * Compare-and-delete: one caller with the state gets the flow. `teamId` is null for a browser, whose team follows
   * from the state.
   */
  async take(state: string, teamId: string | null): Promise<Flow | undefined> {
    const hash = hashToken(state);
    const [row] = await this.transactions.query<OAuthFlowEntity>(takeFlow, [hash, teamId]);
    if (!row) return undefined;
    const secret = row.sealed_client_secret;
    return {
      teamId: row.team_id,
      connectionId: row.connection_id,
      provider: row.provider,
      serverUrl: row.server_url,
      oauth: row.oauth,
      scopes: row.scopes,
      verifier: this.keyRing.open(row.sealed_verifier, contextOf('sealed_verifier', hash)),
      clientSecret:
        secret === null ? undefined : this.keyRing.open(secret, contextOf('sealed_client_secret', hash)),
      returnUrl: row.return_url,
    };
  }

  /** Reads the team, the connection and the redirect address of a flow, and leaves the flow in place. */
  async find(
    state: string,
  ): Promise<(Pick<Flow, 'teamId' | 'connectionId'> & { readonly redirectUri: string }) | undefined> {
    const row = await this.transactions
      .repository(OAuthFlowEntity)
      .findOneBy({ state_hash: hashToken(state), expires_at: Raw((end) => `${end} > now()`) });
    if (!row) return undefined;
    return { teamId: row.team_id, connectionId: row.connection_id, redirectUri: row.oauth.redirect_uri };
  }

  async sweep(): Promise<void> {
    await this.transactions.query(sweepFlows);
  }
}

function contextOf(column: (typeof sealedColumns)[number], hash: string): string {
  return `oauth-flow:${column}:${hash}`;
}
