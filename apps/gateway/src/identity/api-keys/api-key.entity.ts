import type { GrantedScope } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('api_key')
@Index('api_key_hash', ['hash'], { unique: true })
@Index('api_key_team', ['team_id', 'id'], { where: 'revoked_at IS NULL' })
export class ApiKeyEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the key, which itself is kept nowhere. */
  @Column('text')
  hash!: string;

  @Column('text', { array: true })
  scopes!: GrantedScope[];

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expires_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revoked_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}
