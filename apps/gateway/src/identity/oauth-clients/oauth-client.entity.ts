import type { GrantedScope } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('oauth_client')
@Index('oauth_client_team', ['team_id', 'id'], { where: 'revoked_at IS NULL' })
export class OAuthClientEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the secret, which has 256 random bits and so needs no slow hash. */
  @Column('text')
  secret_hash!: string;

  @Column('text', { array: true })
  scopes!: GrantedScope[];

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revoked_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}
