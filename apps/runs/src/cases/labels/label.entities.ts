import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A label of a queue. */
@Entity('case_label')
@Index('case_label_name', ['queue_id', 'key', 'value'], { unique: true })
export class CaseLabelEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  queue_id!: string;

  @Column('text')
  key!: string;

  @Column('text')
  value!: string;

  /** Its colour, in degrees. */
  @Column('smallint')
  hue!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}

/** Which cases have a label. */
@Entity('case_label_link')
@Index('case_label_link_label', ['label_id', 'case_id'])
export class CaseLabelLinkEntity {
  @PrimaryColumn('uuid')
  case_id!: string;

  @PrimaryColumn('uuid')
  label_id!: string;
}
