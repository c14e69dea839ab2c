import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The outcome of a call, stored with its effect: a repeated call returns it without effect. */
@Entity('case_call')
export class CaseCallEntity {
  @PrimaryColumn('uuid')
  run_id!: string;

  @PrimaryColumn('text')
  call_id!: string;

  @Column('jsonb')
  result!: object;
}
