import type { CopiedBuild } from '@aos/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The numbers that the runs of an agent have got. It outlives them, so that none is used again. */
@Entity('run_counter')
export class RunCounterEntity {
  @PrimaryColumn('uuid')
  agent_id!: string;

  @Column('integer')
  last!: number;

  /** How many numbers, from 1, are kept for runs that were made before runs had numbers. */
  @Column('integer', { default: 0 })
  former!: number;

  /** How many of those have been given. */
  @Column('integer', { default: 0 })
  former_given!: number;
}

/** A build as runs have copied it. Runs of the same build share one copy, named by its contents. */
@Entity('build_copy')
export class BuildCopyEntity {
  @PrimaryColumn('text')
  digest!: string;

  @Column('jsonb')
  build!: CopiedBuild;
}
