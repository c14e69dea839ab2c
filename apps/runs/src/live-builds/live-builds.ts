import { maxBuildsResolved, notFound, resolveBuilds } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Batcher } from '@aos/background';
import { Injectable } from '@nestjs/common';
import type { FoundBuild } from '../run-core/new-run.js';

export interface WantedBuild {
  readonly team_id: string;
  readonly agent_id: string;
  /** The live one if it is not named. */
  readonly build_id?: string;
}

/** Asks the agents service what a run is to be made of, each time anew; those who ask together share a request. */
@Injectable()
export class LiveBuilds {
  private readonly batcher = new Batcher<WantedBuild, FoundBuild>({
    maxSize: maxBuildsResolved,
    run: (wanted) => this.resolve(wanted),
  });

  constructor(private readonly services: ServiceClient) {}

  /** Refused as not found where the team has no such agent, or the agent no such build. */
  find(wanted: WantedBuild): Promise<FoundBuild> {
    return this.batcher.add(wanted);
  }

  private async resolve(wanted: readonly WantedBuild[]) {
    const { found } = await this.services.call(resolveBuilds, { wanted: [...wanted] });
    return found.map((build) =>
      build ? ({ ok: true, value: build } as const) : ({ ok: false, error: notFound() } as const),
    );
  }
}
