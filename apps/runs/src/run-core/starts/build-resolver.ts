import { maxBuildsResolved, notFound, resolveBuilds } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Batcher } from '@aos/background';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { copyOf, type BuildCopy } from './build-snapshots.js';
import type { ResolvedBuild } from './new-run.js';

export interface WantedBuild {
  readonly team_id: string;
  readonly agent_id: string;
  /** The live one if it is not named. */
  readonly build_id?: string;
}

type Answer = NonNullable<z.output<(typeof resolveBuilds)['response']>['found'][number]>;

const maxKept = 1_000;

/**
 * Asks the agents service what a run is to be made of, each time anew; those who ask together share a request. What is
 * told once and cannot change is kept: then the answer is only that it is still this one.
 */
@Injectable()
export class BuildResolver {
  private readonly batcher = new Batcher<WantedBuild, ResolvedBuild>({
    maxSize: maxBuildsResolved,
    run: (wanted) => this.resolve(wanted),
  });
  /** By the build that was named, or by the agent whose live one it was. */
  private readonly kept = new LRUCache<string, BuildCopy>({ max: maxKept });

  constructor(private readonly services: ServiceClient) {}

  /** Refused as not found where the team has no such agent, or the agent no such build. */
  find(wanted: WantedBuild): Promise<ResolvedBuild> {
    return this.batcher.add(wanted);
  }

  private async resolve(wanted: readonly WantedBuild[]) {
    const kept = wanted.map((item) => this.kept.get(keyOf(item)));
    const { found } = await this.services.call(resolveBuilds, {
      wanted: wanted.map((item, n) => ({ ...item, kept_build_id: kept[n]?.build.id })),
    });
    return found.map((answer, n) => {
      if (!answer) return { ok: false, error: notFound() } as const;
      return { ok: true, value: this.toFound(wanted[n]!, answer, kept[n]) } as const;
    });
  }

  private toFound(wanted: WantedBuild, answer: Answer, kept: BuildCopy | undefined): ResolvedBuild {
    // Without a build it is the one that was said to be kept.
    const copy = answer.build ? copyOf(answer.build) : kept!;
    if (answer.is_final) this.kept.set(keyOf(wanted), copy);
    return { agent_name: answer.agent_name, has_rubrics: answer.has_rubrics, ...copy };
  }
}

function keyOf({ agent_id: agentId, build_id: buildId }: WantedBuild): string {
  return buildId ?? agentId;
}
