import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { OAuthSetup } from '../oauth-client/authorization-server.js';

/** A consent that was asked for. */
@Entity('oauth_flow')
@Index('oauth_flow_expiry', ['expires_at'])
export class OAuthFlowEntity {
  /** SHA-256: a reader of this table cannot end a flow. */
  @PrimaryColumn('text')
  state_hash!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  connection_id!: string;

  /** The name of a native provider; null for a server that was discovered. */
  @Column('text', { nullable: true })
  provider!: string | null;

  @Column('text')
  server_url!: string;

  @Column('jsonb')
  oauth!: OAuthSetup;

  @Column('text', { array: true })
  scopes!: string[];

  /** The PKCE verifier. */
  @Column('text')
  sealed_verifier!: string;

  /** The client registered for this flow. */
  @Column('text', { nullable: true })
  sealed_client_secret!: string | null;

  @Column('text', { nullable: true })
  return_url!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
