import { findRubrics, maxRubricSetsFound } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

export type BuildRubric = z.output<(typeof findRubrics)['response']>['found'][number][number];

interface OfBuild {
  readonly team_id: string;
  readonly build_id: string;
}

/** Asks the agents service by what the runs of builds are judged, each time anew: rubrics are changed at will. */
@Injectable()
export class BuildRubrics {
  constructor(private readonly services: ServiceClient) {}

  /** By the ids of the builds; one request for up to a hundred of them. */
  async find(evaluations: readonly OfBuild[]): Promise<Map<string, readonly BuildRubric[]>> {
    const wanted = [...new Map(evaluations.map((one) => [one.build_id, one])).values()];
    const found = new Map<string, readonly BuildRubric[]>();
    for (let from = 0; from < wanted.length; from += maxRubricSetsFound) {
      const some = wanted.slice(from, from + maxRubricSetsFound);
      const answer = await this.services.call(findRubrics, {
        wanted: some.map(({ team_id, build_id }) => ({ team_id, build_id })),
      });
      some.forEach(({ build_id: id }, index) => found.set(id, answer.found[index] ?? []));
    }
    return found;
  }
}
