import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many deliveries of a team have succeeded, and how many of them billing has been told of. */
@Entity('delivery_meter')
export class DeliveryMeterEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @Column('bigint')
  delivered!: string;

  @Column('bigint')
  reported!: string;
}
