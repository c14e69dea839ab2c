import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An agent works on the cases of a queue. */
@Entity('case_trigger')
@Index('case_trigger_agent', ['agent_id'], { unique: true })
@Index('case_trigger_queue', ['queue_id'])
export class CaseTriggerEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  agent_id!: string;

  /** As it was when the agents service was last asked. */
  @Column('text')
  agent_name!: string;

  @Column('uuid')
  queue_id!: string;

  @Column('boolean')
  enabled!: boolean;

  /** Runs at the same time; null for as many as are usual. */
  @Column('integer', { nullable: true })
  concurrency!: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}
