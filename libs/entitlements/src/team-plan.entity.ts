import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A copy of the plan of a team, whose owner is the gateway. A team without a row has the default plan. */
@Entity('team_plan')
export class TeamPlanEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @Column('text')
  plan!: string;
}
