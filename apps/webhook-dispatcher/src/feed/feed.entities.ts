import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The events of a team in the order in which they were stored. The head of the team is locked from the moment that
 * gives the positions until the commit, so a reader who has seen one position has seen all before it.
 */
@Entity('feed_event')
@Index('feed_event_type', ['team_id', 'event', 'position'])
@Index('feed_event_age', ['created_at'])
@Index('feed_event_run', { synchronize: false })
export class FeedEventEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @PrimaryColumn('bigint')
  position!: string;

  @Column('uuid')
  id!: string;

  @Column('text')
  event!: string;

  /** The envelope as it is sent, byte for byte. */
  @Column('text')
  body!: string;

  /** The trace that it belongs to, where traces are recorded; never sent out. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}

/** The last position that a team's feed has given. */
@Entity('feed_head')
export class FeedHeadEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @Column('bigint')
  position!: string;
  /** Its deliveries to webhooks are made by the fan-out, which has not done with it. */
  @Column('boolean', { default: false })
  behind!: boolean;
}

/** Up to where the fan-out has made the deliveries of a team that is behind. */
@Entity('feed_fanout')
export class FeedFanOutEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @Column('bigint')
  position!: string;

  /** Null if it was not served yet. */
  @Column({ type: 'timestamptz', nullable: true })
  served_at!: Date | null;
}
