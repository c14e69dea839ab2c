import type { CopiedBuild } from '@aos/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A build as runs have copied it. Runs of the same build share one copy, named by its contents. */
@Entity('build_copy')
export class BuildCopyEntity {
  @PrimaryColumn('text')
  digest!: string;

  @Column('jsonb')
  build!: CopiedBuild;
}
