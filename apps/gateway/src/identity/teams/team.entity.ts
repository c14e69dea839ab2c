import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('team')
export class TeamEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  plan!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}
