import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A browser that has signed in with an API key. It may do what the key may, until the session or the key ends. */
@Entity('sign_in_session')
@Index('sign_in_session_hash', ['hash'], { unique: true })
@Index('sign_in_session_key', ['api_key_id', 'id'])
@Index('sign_in_session_end', ['expires_at'])
export class SignInSessionEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  api_key_id!: string;

  /** SHA-256 of the token in the cookie, which itself is kept nowhere. */
  @Column('text')
  hash!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  /** To a few minutes. */
  @Column({ type: 'timestamptz', precision: 3 })
  used_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
