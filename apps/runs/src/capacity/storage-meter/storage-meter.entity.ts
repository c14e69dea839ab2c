import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What billing was last told of the bytes that a team has stored. */
@Entity('storage_report')
export class StorageReportEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @Column('bigint')
  bytes!: string;
}
