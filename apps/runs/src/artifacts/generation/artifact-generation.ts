import { LeaseHeartbeat } from '@aos/background';
import { ModelError, storableText } from '@aos/agent-runtime';
import { artifactStopped, maxArtifactPageBytes } from '@aos/contracts';
import { Broadcasts, type JobRun } from '@aos/messaging';
import { isStoreUnavailable, Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ArtifactHistory } from '../artifact-history.js';
import { ArtifactLeases, LeaseLost, type ClaimedArtifact, type Lease } from './artifact-leases.js';
import type { ArtifactEntity } from '../artifact.entities.js';
import { cleanPage } from '../pages/clean-page.js';
import { RunsSettings, type RunsConfig } from '../../runs.config.js';
import { failureOf } from './model-page-maker.js';
import { PageFailure, type PageOutcome, type PageTask } from './page-maker.js';
import { PageMakers } from './page-makers.js';
import { ArtifactSources } from './page-sources.js';
import { SpentTokens, TokenCount } from './spent-tokens.js';

/** How often a page is tried: what failed may pass, and a worker that dies counts too. */
const maxAttempts = 5;
const firstRestMs = 1_000;
const restFactor = 4;
const maxMessages = 100;
const maxTextLength = 20_000;

/**
 * Has the page of an artifact made and stores what came of it. The row decides: a job that comes twice or too late finds
 * nothing to take, and a worker that was thought dead cannot write, so that a request makes one revision at most.
 */
@Injectable()
export class ArtifactGeneration implements OnApplicationBootstrap {
  private readonly underWay = new Map<string, LeaseHeartbeat>();

  constructor(
    private readonly leases: ArtifactLeases,
    private readonly history: ArtifactHistory,
    private readonly makers: PageMakers,
    private readonly sources: ArtifactSources,
    private readonly tokens: SpentTokens,
    private readonly transactions: Transactions,
    private readonly broadcasts: Broadcasts,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.broadcasts.listen(artifactStopped, ({ artifact_id: id }) => this.underWay.get(id)?.lose());
  }

  async execute({ artifact, lease }: ClaimedArtifact, job: JobRun): Promise<void> {
    const { RUN_LEASE_MS: leaseMs } = this.settings;
    const heartbeat = new LeaseHeartbeat({
      leaseMs,
      renew: () => this.leases.renew(lease, leaseMs),
      onFault: (error) => this.logger.warn({ err: error }, 'renewing the lease of an artifact failed'),
    });
    this.underWay.set(artifact.id, heartbeat);
    const count = new TokenCount();
    try {
      await this.make(artifact, lease, count, AbortSignal.any([job.signal, heartbeat.signal]));
    } catch (error) {
      if (!heartbeat.signal.aborted) await this.settle(error, { artifact, lease, count, job });
    } finally {
      heartbeat.stop();
      this.underWay.delete(artifact.id);
      await this.recordRest(artifact, count);
    }
  }

  private async make(
    artifact: ArtifactEntity,
    lease: Lease,
    count: TokenCount,
    outer: AbortSignal,
  ): Promise<void> {
    if (artifact.attempts > maxAttempts) {
      throw new PageFailure('worker_lost', `The page was begun ${maxAttempts} times and never ended.`);
    }
    const limit = AbortSignal.timeout(this.settings.ARTIFACT_TIMEOUT_MS);
    const signal = AbortSignal.any([outer, limit]);
    try {
      const maker = this.makers.of(artifact.model);
      const task = await this.taskOf(artifact);
      const outcome = await this.sources.with(artifact, lease, signal, (sources) =>
        maker.make(task, sources, { signal, onUsage: count.add }),
      );
      signal.throwIfAborted();
      await this.store(artifact, lease, count, outcome);
    } catch (error) {
      if (limit.aborted && !outer.aborted) {
        throw new PageFailure(
          'timeout',
          `The page was not made in ${this.settings.ARTIFACT_TIMEOUT_MS / 1000} s.`,
        );
      }
      throw error;
    }
  }

  private async taskOf(artifact: ArtifactEntity): Promise<PageTask> {
    const messages = await this.history.lastMessages(artifact.id, maxMessages);
    return {
      request: artifact.request ?? 'message',
      title: artifact.title,
      conversation: messages.map(({ role, content, is_answer }) => ({
        role,
        text: content,
        isAnswer: is_answer,
      })),
      present: await this.history.version(artifact.id, artifact.current_version),
      answers: artifact.answers,
      mayAsk: !artifact.is_scheduled,
    };
  }

  private async store(
    artifact: ArtifactEntity,
    lease: Lease,
    count: TokenCount,
    outcome: PageOutcome,
  ): Promise<void> {
    if (outcome.kind === 'questions') {
      await this.transactions.run(async () => {
        await this.leases.ask(lease, outcome.questions);
        await this.history.say(
          artifact.id,
          'assistant',
          textOf(outcome.questions.map((one) => one.question)),
        );
        await this.tokens.record(artifact, count);
      });
      return;
    }
    const page = { title: storableText(outcome.title), body: cleaned(outcome.html) };
    await this.transactions.run(async () => {
      // First: the row is locked with it, and nothing is written without the lease.
      const { current_version: version } = await this.leases.complete(lease, page.title);
      await this.history.add(artifact.id, version!, page, { source: artifact.request ?? 'message' });
      if (artifact.request !== 'refresh')
        await this.history.say(artifact.id, 'assistant', textOf([outcome.text]));
      await this.tokens.record(artifact, count);
    });
  }

  private async settle(
    error: unknown,
    {
      artifact,
      lease,
      count,
      job,
    }: { artifact: ArtifactEntity; lease: Lease; count: TokenCount; job: JobRun },
  ): Promise<void> {
    if (error instanceof LeaseLost) return;
    try {
      if (job.signal.aborted) return await this.leases.handBack(lease);
      const failure = this.failureOf(error, artifact);
      if (!failure) return await this.leases.rest(lease, firstRestMs * restFactor ** (artifact.attempts - 1));
      await this.transactions.run(async () => {
        await this.leases.fail(lease, { code: failure.code, message: storableText(failure.message) });
        await this.tokens.record(artifact, count);
      });
    } catch (fault) {
      // It comes due when its lease has run out.
      if (!(fault instanceof LeaseLost)) {
        this.logger.warn({ err: fault, artifact_id: artifact.id }, 'releasing an artifact failed');
      }
    }
  }

  /** Returns the reason shown to people, or undefined for a transient failure. Unexpected errors are only logged. */
  private failureOf(error: unknown, { id, attempts }: ArtifactEntity): PageFailure | undefined {
    if (error instanceof PageFailure) return error;
    this.logger.warn({ err: error, artifact_id: id, attempt: attempts }, 'generating an artifact failed');
    if (isStoreUnavailable(error) && attempts < maxAttempts) return undefined;
    if (error instanceof ModelError && error.kind === 'permanent') return failureOf(error);
    if (attempts < maxAttempts) return undefined;
    if (error instanceof ModelError) return failureOf(error);
    return new PageFailure('internal_error', 'The page could not be made for an internal reason.');
  }

  /** Tokens count even when no page was generated. */
  private async recordRest(artifact: ArtifactEntity, count: TokenCount): Promise<void> {
    try {
      await this.tokens.record(artifact, count);
    } catch (error) {
      this.logger.warn({ err: error, artifact_id: artifact.id }, 'counting the tokens of an artifact failed');
    }
  }
}

function cleaned(html: string): string {
  const { body } = cleanPage(storableText(html));
  if (Buffer.byteLength(body) <= maxArtifactPageBytes) return body;
  throw new PageFailure(
    'output_too_large',
    `The page is too long: at most ${maxArtifactPageBytes} bytes can be kept.`,
  );
}

function textOf(texts: readonly string[]): string {
  return storableText(texts.join('\n')).slice(0, maxTextLength);
}
