import { LeaseHeartbeat } from '@aos/background';
import { AppError } from '@aos/contracts';
import { isStoreUnavailable } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { toLoopMessage } from '../run-core/records/stored-records.js';
import { BuildSnapshots } from '../run-core/starts/build-snapshots.js';
import { type RunsConfig, RunsSettings } from '../runs.config.js';
import { type EvaluationOutcome, outcomeOf, platformResults } from './evaluation-results.js';
import { type BuildRubric, BuildRubrics, customResults, JudgeMeter, Judges } from './judges.js';
import { maxAttempts } from './judging.js';
import { type DueEvaluation, JudgingRepository } from './judging.repository.js';

const firstRetryMs = 2_000;
/** From one retry to the next: 2 s, 8 s, 32 s, 128 s. */
const retryFactor = 4;
/** How long to leave it where this service's own stores or neighbours are away, which is no fault of the judge. */
const handedBackForMs = 2_000;

/**
 * Asks the judge about one run. It has the run under a lease with a fencing token: a job that comes twice finds
 * nothing to take, a worker that died is followed by another, and one that comes back from the dead stores nothing.
 */
@Injectable()
export class RunJudging {
  constructor(
    private readonly judging: JudgingRepository,
    private readonly rubrics: BuildRubrics,
    private readonly copies: BuildSnapshots,
    private readonly judges: Judges,
    private readonly meter: JudgeMeter,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    private readonly logger: Logger,
  ) {}

  /** The signal is aborted when the process wants to end: then the run is given back. */
  async judge(runId: string, ending: AbortSignal): Promise<void> {
    const leased = await this.claim(runId);
    if (!leased) return;
    const heartbeat = this.heartbeat(leased);
    try {
      await this.judgeLeased(leased, AbortSignal.any([ending, heartbeat.signal]));
    } catch (error) {
      if (!heartbeat.signal.aborted) await this.handBack(leased, error, ending);
    } finally {
      heartbeat.stop();
    }
  }

  /** A job that fails would keep its id from being used again: what cannot be taken comes due again. */
  private async claim(runId: string): Promise<DueEvaluation | undefined> {
    try {
      return await this.judging.claim(runId, this.settings.RUN_LEASE_MS);
    } catch (error) {
      this.logger.warn({ err: error, run_id: runId }, 'claiming an evaluation failed');
      return undefined;
    }
  }

  private async judgeLeased(leased: DueEvaluation, signal: AbortSignal): Promise<void> {
    const rubrics = (await this.rubrics.find([leased])).get(leased.build_id) ?? [];
    const outcome = await this.outcome(leased, rubrics, signal);
    if (outcome) await this.judging.store([{ evaluation: leased, outcome }]);
    else await this.judging.extend(leased, firstRetryMs * retryFactor ** (leased.attempts - 1));
  }

  /** Undefined if the judge failed and may be asked again. */
  private async outcome(
    leased: DueEvaluation,
    rubrics: readonly BuildRubric[],
    signal: AbortSignal,
  ): Promise<EvaluationOutcome | undefined> {
    const platform = platformResults(leased);
    if (rubrics.length === 0) return outcomeOf('ready', platform);
    const [build, messages] = await Promise.all([
      this.copies.find(leased.build_digest),
      this.judging.transcript(leased.run_id),
    ]);
    try {
      const transcript = messages.map(toLoopMessage);
      const judge = this.judges.of(build, this.meter.of(leased, build));
      const verdicts = await judge.judge({ rubrics, transcript }, signal);
      return outcomeOf('ready', [...platform, ...customResults(rubrics, verdicts)]);
    } catch (error) {
      signal.throwIfAborted();
      if (isStoreUnavailable(error)) throw error;
      this.logger.warn({ err: error, run_id: leased.run_id, attempt: leased.attempts }, 'evaluation failed');
      if (leased.attempts < maxAttempts) return undefined;
      return outcomeOf('unavailable', [...platform, ...customResults(rubrics, undefined)]);
    }
  }

  /** If the release fails, the evaluation comes due when its lease expires. */
  private async handBack(leased: DueEvaluation, error: unknown, ending: AbortSignal): Promise<void> {
    if (!ending.aborted) {
      const expected = isStoreUnavailable(error) || error instanceof AppError;
      this.logger[expected ? 'warn' : 'error']({ err: error, run_id: leased.run_id }, 'a run was not judged');
      if (!expected) return;
    }
    try {
      await this.judging.handBack(leased, ending.aborted ? 0 : handedBackForMs);
    } catch (failure) {
      this.logger.warn({ err: failure, run_id: leased.run_id }, 'releasing an evaluation failed');
    }
  }

  private heartbeat(leased: DueEvaluation): LeaseHeartbeat {
    const { RUN_LEASE_MS: leaseMs } = this.settings;
    return new LeaseHeartbeat({
      leaseMs,
      renew: () => this.judging.extend(leased, leaseMs),
      onFault: (error) =>
        this.logger.warn({ err: error, run_id: leased.run_id }, 'renewing the lease of an evaluation failed'),
    });
  }
}
