import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type Severity = 'critical' | 'medium' | 'low';

@Entity('eval_rubric')
@Index('eval_rubric_slug', ['build_id', 'slug'], { unique: true })
export class RubricEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  build_id!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  title!: string;

  @Column('text')
  description!: string;

  @Column('text')
  severity!: Severity;

  @Column('integer')
  sort_order!: number;

  @Column('integer')
  version!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}
