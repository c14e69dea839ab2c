import type { BudgetAction } from '@aos/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The monthly budget, and the warnings sent for `period`. */
@Entity('budget')
export class BudgetEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @Column('bigint', { nullable: true })
  max_tokens!: string | null;

  @Column('bigint', { nullable: true })
  max_runs!: string | null;

  @Column('text')
  on_reached!: BudgetAction;

  /** The first day of the month that the rest is about. */
  @Column('date')
  period!: string;

  @Column('boolean')
  is_warned!: boolean;

  @Column('boolean')
  is_reached!: boolean;

  /** As the run service was last told. */
  @Column('boolean')
  are_tokens_used_up!: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}
