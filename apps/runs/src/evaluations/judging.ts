import { evaluateRun, hasEnded } from '@aos/contracts';
import { JobQueues } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import { outcomeOf, platformResults } from './evaluation-results.js';
import { type BuildRubric, BuildRubrics, customResults } from './judges.js';
import { type DueEvaluation, type Judged, JudgingRepository } from './judging.repository.js';

/** Large enough for some hundred ends a second, small enough to hold up no run that ends. */
const batchSize = 300;
/** How often a judge may take a run before it is given up. */
export const maxAttempts = 5;
/** A job that has not been taken after this time is added again; one that still waits stays the only one. */
const queuedForMs = 10_000;
/** A run that a message has reopened is judged when it ends; only if it is stopped it is judged as it is. */
const reopenedForMs = 30_000;

/**
 * Judges runs that have ended, many at a time, by their facts. Those whose builds have rubrics of their own get a
 * job in which a judge is asked. Everything that Redis or a dead worker has lost comes due again.
 */
@Injectable()
export class Judging {
  constructor(
    private readonly judging: JudgingRepository,
    private readonly rubrics: BuildRubrics,
    private readonly queues: JobQueues,
  ) {}

  /** Does what is due; true if there may be more. */
  async work(): Promise<boolean> {
    const due = await this.judging.due(batchSize);
    if (due.length === 0) return false;
    const ended = due.filter(({ status }) => hasEnded(status));
    const rubrics = await this.rubrics.find(ended);
    const asked = ended.filter((one) => isAsked(one, rubrics.get(one.build_id)));
    const known = ended.filter((one) => !asked.includes(one));
    await this.judging.store(known.map((one) => judgedByFacts(one, rubrics.get(one.build_id))));
    await this.putOff(due.filter(({ status }) => !hasEnded(status)));
    await this.queue(asked);
    return due.length === batchSize;
  }

  private async putOff(reopened: readonly DueEvaluation[]): Promise<void> {
    if (reopened.length > 0) await this.judging.putOff(idsOf(reopened), reopenedForMs);
  }

  private async queue(asked: readonly DueEvaluation[]): Promise<void> {
    if (asked.length === 0) return;
    const waiting = await this.judging.putOff(idsOf(asked), queuedForMs);
    await this.queues.add(
      evaluateRun,
      ...waiting.map(({ run_id, attempts }) => ({ payload: { run_id }, jobId: `${run_id}-${attempts}` })),
    );
  }
}

function isAsked({ attempts }: DueEvaluation, rubrics: readonly BuildRubric[] = []): boolean {
  return rubrics.length > 0 && attempts < maxAttempts;
}

/** A run that has rubrics all the same was given up: its worker died each time. */
function judgedByFacts(evaluation: DueEvaluation, rubrics: readonly BuildRubric[] = []): Judged {
  const status = rubrics.length === 0 ? 'ready' : 'unavailable';
  const results = [...platformResults(evaluation), ...customResults(rubrics, undefined)];
  return { evaluation, outcome: outcomeOf(status, results) };
}

function idsOf(evaluations: readonly DueEvaluation[]): string[] {
  return evaluations.map(({ run_id }) => run_id);
}
