import { createHash } from 'node:crypto';
import type { CopiedBuild } from '@aos/contracts';
import { PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { findBuildCopy } from './build-copies.sql.js';

const maxCached = 1_000;

/** Names a copy by its contents. */
export function digestOf(build: CopiedBuild): string {
  return createHash('sha256').update(JSON.stringify(build)).digest('base64url');
}

/** The builds that runs have copied. A copy never changes, so those used last are kept in memory. */
@Injectable()
export class BuildCopies {
  private readonly cache = new LRUCache<string, CopiedBuild>({ max: maxCached });

  constructor(private readonly statements: PreparedStatements) {}

  async find(digest: string): Promise<CopiedBuild> {
    const cached = this.cache.get(digest);
    if (cached) return cached;
    const build = await this.read(digest);
    this.keep(digest, build);
    return build;
  }

  keep(digest: string, build: CopiedBuild): void {
    this.cache.set(digest, build);
  }

  private async read(digest: string): Promise<CopiedBuild> {
    const [row] = await this.statements.read<{ build: CopiedBuild }>(findBuildCopy, [digest]);
    return row!.build;
  }
}
