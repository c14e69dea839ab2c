import {
  type Judge,
  MeteredModel,
  type ModelCatalog,
  modelCatalogOf,
  ModelJudge,
  ScriptedJudge,
  type TellUsage,
  type Verdict,
} from '@aos/agent-runtime';
import { builtinModel, type CopiedBuild, findRubrics, judgeUsed, maxRubricSetsFound } from '@aos/contracts';
import { newEvent, Outbox } from '@aos/events';
import { ServiceClient } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { Tracing } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { type RunsConfig, RunsSettings } from '../runs.config.js';
import type { DueEvaluation } from './judging.repository.js';
import type { StoredResult } from './run-evaluation.entity.js';

/**
 * Tells billing what judges use: each answer when it comes, in a transaction of its own, since it is paid for also where
 * it gives no verdict, or its worker has lost the run.
 */
@Injectable()
export class JudgeMeter {
  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
  ) {}

  of(
    { run_id: runId, team_id: teamId, agent_id: agentId }: DueEvaluation,
    { config }: CopiedBuild,
  ): TellUsage {
    const { model } = config.data.models.agent;
    return async ({ inputTokens, outputTokens }) => {
      if (inputTokens + outputTokens === 0) return;
      const usage = {
        agent_id: agentId,
        model,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
      };
      const event = newEvent({ event: judgeUsed, teamId, data: { run_id: runId }, usage });
      await this.transactions.run(() => this.outbox.record(event));
    };
  }
}

export type BuildRubric = z.output<(typeof findRubrics)['response']>['found'][number][number];

interface OfBuild {
  readonly team_id: string;
  readonly build_id: string;
}

/** Requests the rubrics of builds each time: rubrics can change at any time. */
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

/** The rubrics as they were judged: what becomes of them later changes no result. */
export function customResults(
  rubrics: readonly BuildRubric[],
  verdicts: readonly Verdict[] | undefined,
): StoredResult[] {
  return rubrics.map(({ rubric_id, slug, title, version, severity }, index) => {
    const { passed, comment } = verdicts?.[index] ?? notJudged;
    return { rubric_id, slug, title, version, passed, severity, comment };
  });
}

const notJudged: Verdict = { passed: null, comment: 'The judge could not be asked.' };

/** The judge of a build is its own model. */
@Injectable()
export class Judges {
  private readonly catalog: ModelCatalog;

  constructor(
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    tracing: Tracing,
  ) {
    this.catalog = modelCatalogOf(settings, tracing);
  }

  /** Throws a `ModelError` if this installation does not have the model. */
  of({ config }: CopiedBuild, tell: TellUsage): Judge {
    const { model } = config.data.models.agent;
    if (model === builtinModel) return new ScriptedJudge(tell);
    const metered = new MeteredModel(this.catalog.find(model), tell);
    return new ModelJudge(metered, this.settings.MODEL_CONTEXT_CHARS);
  }
}
