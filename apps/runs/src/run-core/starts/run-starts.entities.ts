import type { CopiedBuild } from '@aos/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last number given to a run of an agent. The row outlives the runs, so that no number is used again. */
@Entity('run_counter')
export class RunCounterEntity {
  @PrimaryColumn('uuid')
  agent_id!: string;

  @Column('integer')
  last!: number;
}

/** A build as runs have copied it. Runs of the same build share one copy, named by its contents. */
@Entity('build_copy')
export class BuildCopyEntity {
  @PrimaryColumn('text')
  digest!: string;

  @Column('jsonb')
  build!: CopiedBuild;
}
