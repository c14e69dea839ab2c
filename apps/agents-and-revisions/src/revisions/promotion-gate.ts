import { AppError, scoreBuild } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import type { BuildEntity } from '../builds/build.entity.js';

export interface Required {
  /** The part of the evaluated runs that has no issues. */
  readonly min_pass_rate: number;
  readonly min_evaluated: number;
}

/** Shorter than the caller waits for the promotion, so that it learns what is away. */
const timeoutMs = 4_000;

/** Asks the run service how the runs of a build were judged, outside any transaction. */
@Injectable()
export class PromotionGate {
  constructor(private readonly services: ServiceClient) {}

  /** Why the build may not become live; undefined if it may. */
  async refusal(build: BuildEntity, required: Required): Promise<AppError | undefined> {
    const { evaluated, passed } = await this.services.call(
      scoreBuild,
      { team_id: build.team_id, build_id: build.id },
      { timeoutMs },
    );
    const { min_pass_rate: rate, min_evaluated: runs } = required;
    // Multiplied, so that no division decides: 9 of 10 reach 0.9, and no runs reach any rate.
    if (evaluated >= runs && passed >= rate * evaluated - tolerance) return undefined;
    const reached = evaluated === 0 ? 'none' : `${passed} (${percentOf(passed / evaluated)})`;
    return new AppError(
      'invalid_state',
      `${evaluated} runs of this revision have been evaluated, ${runs} are required; ` +
        `${reached} of them passed, ${percentOf(rate)} is required.`,
    );
  }
}

/** 0.1 times 3 is a little more than 0.3. */
const tolerance = 1e-9;

/** Rounded down, so that what is not reached does not look as if it were. */
function percentOf(part: number): string {
  return `${Math.floor(part * 1000 + tolerance) / 10} %`;
}
