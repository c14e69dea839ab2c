import type { ConnectionAuthMethod, ConnectionStatus, ConnectionType } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { OAuthSetup } from '../oauth-client/authorization-server.js';

@Entity('connection')
@Index('connection_team', ['team_id', 'id'])
@Index('connection_refresh', ['refresh_at'], { where: 'refresh_at IS NOT NULL' })
@Index('connection_draft', ['created_at'], { where: 'is_draft' })
export class ConnectionEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  type!: ConnectionType;

  @Column('text')
  provider!: string;

  @Column('text')
  server_url!: string;

  @Column('text')
  auth_method!: ConnectionAuthMethod;

  @Column('text')
  status!: ConnectionStatus;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  broken_at!: Date | null;

  @Column('text', { nullable: true })
  broken_reason!: string | null;

  /** Headers that may be shown. */
  @Column('jsonb')
  headers!: Record<string, string>;

  /** Secret headers as sealed JSON. */
  @Column('text', { nullable: true })
  sealed_headers!: string | null;

  /** Path and query of an address that authenticates by itself, sealed; `server_url` is its origin then. */
  @Column('text', { nullable: true })
  sealed_path!: string | null;

  /** Access and refresh token as JSON, sealed. */
  @Column('text', { nullable: true })
  sealed_tokens!: string | null;

  /** The client registered for this connection. */
  @Column('text', { nullable: true })
  sealed_client_secret!: string | null;

  /** The issuer of the tokens, for discovered servers; native providers are identified by name. */
  @Column('jsonb', { nullable: true })
  oauth!: OAuthSetup | null;

  @Column('text', { array: true })
  oauth_scopes!: string[];

  @Column('text', { array: true })
  required_scopes!: string[];

  /** Counts the credentials that it has had. */
  @Column('integer')
  credentials_version!: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  token_obtained_at!: Date | null;

  /** From then on a new token is wanted, though the present one may still be good. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  token_stale_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  token_expires_at!: Date | null;

  /** When the next refresh is due; null where there is nothing to refresh. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  refresh_at!: Date | null;

  /** Tries since the last that had an answer. */
  @Column('integer')
  refresh_failures!: number;

  /** The lease of the process that refreshes the token. */
  @Column('uuid', { nullable: true })
  refresh_lease_id!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  refresh_lease_until!: Date | null;

  /** Whether a process died while it asked: the provider's answer may be lost, and a rotated token with it. */
  @Column('boolean')
  refresh_interrupted!: boolean;

  /** Whether it came into being with a consent that was asked for; without one it is swept. */
  @Column('boolean')
  is_draft!: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}
