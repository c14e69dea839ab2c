import type { JWK } from 'jose';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('signing_key')
export class SigningKeyEntity {
  @PrimaryColumn('text')
  kid!: string;

  @Column('jsonb')
  public_jwk!: JWK;

  @Column('text')
  sealed_private_jwk!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}

@Entity('revoked_token')
@Index('revoked_token_expiry', ['expires_at'])
export class RevokedTokenEntity {
  @PrimaryColumn('uuid')
  jti!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
