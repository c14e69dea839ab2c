import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A queue of cases. */
@Entity('case_queue')
@Index('case_queue_name', ['team_id', 'name'], { unique: true })
export class QueueEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}

/** An agent that has put cases into a queue. */
@Entity('queue_producer')
export class QueueProducerEntity {
  @PrimaryColumn('uuid')
  queue_id!: string;

  @PrimaryColumn('uuid')
  agent_id!: string;

  @Column('text')
  agent_name!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  produced_at!: Date;
}
