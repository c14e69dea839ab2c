import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a call of a case tool came to, stored with its effect: made again, it gives the same and does nothing. */
@Entity('case_call')
export class CaseCallEntity {
  @PrimaryColumn('uuid')
  run_id!: string;

  @PrimaryColumn('text')
  call_id!: string;

  @Column('jsonb')
  result!: object;
}
