import { createHash } from 'node:crypto';
import type { CopiedBuild } from '@aos/contracts';
import { PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { findBuildCopy } from './build-snapshots.sql.js';

const maxCached = 1_000;
const maxStored = 10_000;

/** A build, named by its contents. */
export interface BuildCopy {
  readonly digest: string;
  readonly build: CopiedBuild;
}

export function copyOf(build: CopiedBuild): BuildCopy {
  return { digest: createHash('sha256').update(JSON.stringify(build)).digest('base64url'), build };
}

/** The builds that runs have copied. A copy never changes, so those used last are kept in memory. */
@Injectable()
export class BuildSnapshots {
  private readonly cache = new LRUCache<string, CopiedBuild>({ max: maxCached });
  /** Builds stored by this process; later starts need not send them again. */
  private readonly stored = new LRUCache<string, true>({ max: maxStored });

  constructor(private readonly statements: PreparedStatements) {}

  async find(digest: string): Promise<CopiedBuild> {
    const cached = this.cache.get(digest);
    if (cached) return cached;
    const build = await this.read(digest);
    this.keep({ digest, build });
    return build;
  }

  keep({ digest, build }: BuildCopy): void {
    this.cache.set(digest, build);
  }

  isStored(digest: string): boolean {
    return this.stored.get(digest) ?? false;
  }

  setStored(digest: string): void {
    this.stored.set(digest, true);
  }

  /** A failover to a server that had not got it yet, for instance. */
  setLost(digest: string): void {
    this.stored.delete(digest);
  }

  private async read(digest: string): Promise<CopiedBuild> {
    const [row] = await this.statements.read<{ build: CopiedBuild }>(findBuildCopy, [digest]);
    return row!.build;
  }
}
