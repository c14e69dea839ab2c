import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Agents of which no run may start any more. */
@Entity('deleted_agent')
@Index('deleted_agent_time', ['deleted_at'])
export class DeletedAgentEntity {
  @PrimaryColumn('uuid')
  agent_id!: string;

  @Column('uuid')
  team_id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  deleted_at!: Date;
}
