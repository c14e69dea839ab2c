import { ModelError } from '@aos/agent-runtime';
import { LeaseHeartbeat } from '@aos/background';
import { buildConfigSchema, executeBuilderRun, type BuildConfig } from '@aos/contracts';
import type { JobRun } from '@aos/messaging';
import { isStoreUnavailable } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { AgentsSettings, type AgentsConfig } from '../config/agents.config.js';
import { BuilderRunLeases, LeaseLost, type Lease } from './builder-run-leases.js';
import type { BuilderRunEntity } from './builder-run.entity.js';
import { BuilderMeter } from './builder-meter.js';
import { Builders, type Builder } from './builder.js';
import { faultOf, withProcedure } from './proposal.js';

/** Since it last got further. */
const maxLostWorkers = 5;
const workerLost = {
  code: 'worker_lost',
  message: 'The builder was interrupted too often without getting further.',
};

/**
 * Carries a builder run on from its last stored phase until it asks, proposes or fails. The row decides: a job that
 * comes twice or too late finds nothing to claim, and a worker that was thought dead cannot write.
 */
@Injectable()
export class BuilderRunExecution {
  constructor(
    private readonly leases: BuilderRunLeases,
    private readonly builders: Builders,
    private readonly meter: BuilderMeter,
    @Inject(AgentsSettings) private readonly settings: AgentsConfig,
    private readonly logger: Logger,
  ) {}

  async execute(builderRunId: string, job: JobRun): Promise<void> {
    const { BUILDER_LEASE_MS: leaseMs } = this.settings;
    const claimed = await this.leases.claim(builderRunId, leaseMs);
    if (!claimed) return;
    const { run, lease } = claimed;
    if (run.lost_workers > maxLostWorkers) return this.giveUp(run, lease);
    const heartbeat = new LeaseHeartbeat({
      leaseMs,
      renew: () => this.leases.renew(lease, leaseMs),
      onFault: (error) => this.logger.warn({ err: error }, 'renewing the lease of a builder run failed'),
    });
    try {
      await this.carryOn(run, lease, AbortSignal.any([job.signal, heartbeat.signal]));
    } catch (error) {
      if (!heartbeat.signal.aborted) await this.settle(error, run, lease, job);
    } finally {
      heartbeat.stop();
    }
  }

  /** It may be what kills its workers, and every other builder run of theirs with them. */
  private async giveUp({ id, team_id: teamId }: BuilderRunEntity, lease: Lease): Promise<void> {
    this.logger.error(
      { builder_run_id: id, team_id: teamId },
      'a builder run was given up: it loses every worker',
    );
    await this.leases.fail(lease, workerLost);
  }

  private async carryOn(claimed: BuilderRunEntity, lease: Lease, signal: AbortSignal): Promise<void> {
    let run = claimed;
    while (run.status === 'running') {
      signal.throwIfAborted();
      run = await this.work(run, lease, signal);
    }
  }

  /** Does what the stored phase asks for and stores the next one. */
  private async work(run: BuilderRunEntity, lease: Lease, signal: AbortSignal): Promise<BuilderRunEntity> {
    if (run.phase === 'reading') {
      this.builderOf(run);
      return this.leases.enter(lease, 'drafting');
    }
    if (run.phase === 'drafting') return this.draft(run, lease, signal);
    if (run.phase === 'checking') return this.check(run.draft_config!, lease);
    throw new Error(`A running builder run has nothing to do in the phase "${run.phase}"`);
  }

  private async draft(run: BuilderRunEntity, lease: Lease, signal: AbortSignal): Promise<BuilderRunEntity> {
    const config = presentConfig(run);
    const task = { prompt: run.prompt, procedure: config.data.input, answers: run.answers };
    const outcome = await this.builderOf(run).build(task, signal);
    return outcome.kind === 'questions'
      ? this.leases.ask(lease, outcome.questions)
      : this.leases.enter(lease, 'checking', withProcedure(config, outcome.procedure));
  }

  private builderOf(run: BuilderRunEntity): Builder {
    const config = presentConfig(run);
    return this.builders.find(config, this.meter.of(run, config.data.models.agent.model));
  }

  private async check(draft: BuildConfig, lease: Lease): Promise<BuilderRunEntity> {
    const fault = faultOf(draft);
    return fault === undefined
      ? this.leases.propose(lease)
      : this.leases.fail(lease, { code: 'invalid_proposal', message: fault });
  }

  /** An error that may pass is thrown on, so that the job comes again. */
  private async settle(error: unknown, run: BuilderRunEntity, lease: Lease, job: JobRun): Promise<void> {
    if (error instanceof LeaseLost) return;
    if (job.signal.aborted) return this.leases.release(lease, 'handed back');
    if (isStoreUnavailable(error)) {
      await this.leases.release(lease, 'handed back');
      throw error;
    }
    if (error instanceof ModelError && error.kind === 'permanent') {
      this.logger.warn({ err: error, builder_run_id: run.id }, 'the model failed a builder run');
      await this.leases.fail(lease, reasonOf(error));
      return;
    }
    const last = job.lastAttempt || run.failed_attempts + 1 >= executeBuilderRun.attempts;
    if (last) await this.leases.fail(lease, reasonOf(error));
    else await this.leases.release(lease, 'failed');
    throw error;
  }
}

/** Returns the reason shown to people. Unexpected errors are only logged. */
function reasonOf(error: unknown): { code: string; message: string } {
  if (error instanceof ModelError) return { code: 'model_error', message: error.message };
  return { code: 'internal_error', message: 'The builder failed for an internal reason.' };
}

/** Parsing fills in what a config stored by an earlier version lacks. */
function presentConfig(run: BuilderRunEntity): BuildConfig {
  return buildConfigSchema.parse(run.checkpoint_config);
}
