import { resolveBuilds } from '@aos/contracts';
import { HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { toCopiedBuild } from './build.mapper.js';
import { BuildsRepository } from './builds.repository.js';

type Request = z.output<(typeof resolveBuilds)['request']>;
type Response = z.input<(typeof resolveBuilds)['response']>;

/** Gives the run service what runs are to be made of. */
@Controller()
export class ResolvedBuildsHandlers {
  constructor(private readonly revisions: BuildsRepository) {}

  @HandlesInternal(resolveBuilds)
  async resolveBuilds({ wanted }: Request): Promise<Response> {
    const rows = await this.revisions.resolve(wanted);
    return {
      found: rows.map(
        (row) =>
          row && {
            agent_name: row.agent_name,
            build: row.config ? toCopiedBuild(row, row.config) : undefined,
            is_final: row.is_final,
            has_rubrics: row.has_rubrics,
          },
      ),
    };
  }
}
