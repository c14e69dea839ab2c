import {
  type LoopEnd,
  type RunState,
  runSteps,
  type StepLoopOptions,
  type Tool,
  type ToolBox,
} from '@aos/agent-runtime';
import { AppError, type CopiedBuild, type RunError, runMessageLimits } from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import { isPassing } from '@aos/persistence';
import { Logger, type OpenSpan, type SpanDraft, Tracing, withLinkedSignal } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { SubAgents } from '../lifecycle/sub-runs/sub-runs.service.js';
import { RunChanges } from '../run-core/changes/run-changes.js';
import { RunLost } from '../run-core/claims/lease.js';
import { type ClaimedRun, RunClaims } from '../run-core/claims/run-claims.js';
import { RunDispatch } from '../run-core/claims/run-dispatch.js';
import { RunLeasesRepository } from '../run-core/claims/run-leases.repository.js';
import { RunEvents } from '../run-core/records/run-events.js';
import { ToolCallIntents } from '../run-core/records/tool-call-intents.js';
import { changeBy } from '../run-core/run-state.js';
import { BuildSnapshots } from '../run-core/starts/build-snapshots.js';
import { RunRefused } from '../run-core/starts/new-run.js';
import { Browsers } from '../tools/browser/browsers.js';
import type { ConnectedRun } from '../tools/connections/connected-run.js';
import { RunConnections } from '../tools/connections/run-connections.js';
import { ToolSets } from '../tools/tool-sets.js';
import type { Ending } from './ending.js';
import { RunHistory } from './run-history.js';
import { RunJournals } from './run-journal.js';
import { RunLeases } from './run-leases.js';
import { RunModels } from './run-models.js';
import { pauseAfterMs, BackoffCounter } from './backoff-counter.js';

type RunTools = Pick<StepLoopOptions, 'tools' | 'changedTools'>;
type BoxOf = (tools: readonly Tool[]) => ToolBox;

/** Carries one run on from its last stored step until it ends, pauses or is handed back. */
@Injectable()
export class RunExecution {
  private readonly setbacks = new BackoffCounter();

  constructor(
    private readonly claims: RunClaims,
    private readonly history: RunHistory,
    private readonly changes: RunChanges,
    private readonly leases: RunLeases,
    private readonly leaseRows: RunLeasesRepository,
    private readonly copies: BuildSnapshots,
    private readonly models: RunModels,
    private readonly tools: ToolSets,
    private readonly connections: RunConnections,
    private readonly browsers: Browsers,
    private readonly journals: RunJournals,
    private readonly events: RunEvents,
    private readonly dispatch: RunDispatch,
    private readonly intents: ToolCallIntents,
    private readonly subAgents: SubAgents,
    private readonly entitlements: Entitlements,
    private readonly tracing: Tracing,
    private readonly logger: Logger,
  ) {}

  /** Takes the run if there is something to do. */
  async execute(runId: string, ending: Ending): Promise<void> {
    const run = await this.claims.claim(runId);
    if (run) await this.carryOn(run, ending);
  }

  /** When the process wants to end, the run is handed back. */
  carryOn(run: ClaimedRun, ending: Ending): Promise<void> {
    const { id: runId, team_id: teamId, traceparent } = run;
    const incoming = { requestId: runId, runId, teamId, traceparent: traceparent ?? undefined };
    return this.tracing.within(incoming, spanOf(run), (span) => this.carryOnIn(span, run, ending));
  }

  private async carryOnIn(span: OpenSpan, run: ClaimedRun, ending: Ending): Promise<void> {
    const lease = this.leases.hold(run.id, run.token);
    const { leaving, over, release } = ending.tell();
    this.browsers.enter(run.id);
    let end: LoopEnd | undefined;
    try {
      end = await withLinkedSignal([lease.signal, over], (signal) => this.work(run, signal, leaving));
      this.setbacks.forget(run.id);
      span.set({ 'aos.run.end': end });
    } catch (error) {
      span.fail(error instanceof Error ? error.name : typeof error);
      await this.settle(run, error, ending);
    } finally {
      this.browsers.leave(run.id, { waits: end === 'asked' || end === 'sleeping' });
      release();
      lease.release();
    }
  }

  private async work(run: ClaimedRun, signal: AbortSignal, leaving: AbortSignal): Promise<LoopEnd> {
    const build = await this.copies.find(run.build_digest);
    if (run.steps === 0) await this.subAgents.assertAvailable(run.team_id, build);
    const model = this.models.of(build);
    const [excerpt, intent] = await Promise.all([
      this.history.excerpt(run, model.memoryBytes),
      this.intentOf(run),
    ]);
    const work = (tools: RunTools) =>
      runSteps({
        state: { ...stateOf(run, build), ...excerpt, intent },
        ...model,
        ...tools,
        journal: this.journals.open(run, build.config.data.models.agent.model, signal),
        signal,
        leaving,
        tracing: this.tracing,
        onToolError: (error, { name }) => {
          this.logger.warn({ err: error, run_id: run.id, tool: name }, 'tool call failed');
        },
      });
    const { connections } = build.config.data;
    const { features } = await this.entitlements.planOf(run.team_id);
    const boxOf: BoxOf = (tools) => this.tools.of(build, features, tools);
    if (connections.length === 0) return work({ tools: boxOf([]) });
    const connected = await this.connections.open(run, build, { features, signal });
    return this.withTools(connected, boxOf, work);
  }

  /** With the tools of the connections that the build names. */
  private async withTools<T>(
    connected: ConnectedRun,
    boxOf: BoxOf,
    work: (tools: RunTools) => Promise<T>,
  ): Promise<T> {
    try {
      return await work({
        tools: boxOf(await connected.begin()),
        changedTools: async () => {
          const changed = await connected.changed();
          return changed && boxOf(changed);
        },
      });
    } finally {
      this.connections.close(connected);
    }
  }

  /** A run that no worker had before has begun no call. */
  private async intentOf({ id, steps, slept, first }: ClaimedRun): Promise<RunState['intent']> {
    const call = first ? undefined : await this.intents.find(id, steps);
    return call && { ...call, awaited: slept };
  }

  /** If settling fails, the reconciler finds the run when its lease expires. */
  private async settle(run: ClaimedRun, error: unknown, ending: Ending): Promise<void> {
    if (error instanceof RunLost) return;
    try {
      if (ending.hasBegun) await this.handBack(run);
      else if (mayPass(error)) await this.defer(run, error);
      else await this.fail(run, error);
    } catch (settling) {
      this.logger.warn({ err: settling, run_id: run.id }, 'run left to the reconciler');
    }
  }

  /** Another worker may go on at once. */
  private async handBack(run: ClaimedRun): Promise<void> {
    const changed = await this.changes.commit({
      runId: run.id,
      ...changeBy('step'),
      token: run.token,
      requeueAfterMs: 0,
      messages: [],
      events: [],
    });
    if (changed) this.dispatch.wake(run.team_id);
  }

  /** It has lost no worker: what it needs is away, and others would fare no better now. */
  private async defer({ id, team_id: teamId, token }: ClaimedRun, error: unknown): Promise<void> {
    const pauseMs = pauseAfterMs(this.setbacks.add(id));
    if (!(await this.leaseRows.defer({ runId: id, token }, pauseMs))) return;
    this.logger.warn({ err: error, run_id: id, pause_ms: pauseMs }, 'run handed back for a later attempt');
    this.dispatch.add([{ runId: id, teamId, delayMs: pauseMs }]);
  }

  private async fail(run: ClaimedRun, error: unknown): Promise<void> {
    const reason = this.reasonOf(run, error);
    await this.changes.commit({
      runId: run.id,
      ...changeBy('fail'),
      token: run.token,
      error: reason,
      closesStep: 'failed',
      messages: [],
      events: this.events.ofFailure(run, reason),
    });
  }

  /** Unexpected errors are detailed only in the log. */
  private reasonOf(run: ClaimedRun, error: unknown): RunError {
    if (error instanceof RunRefused) return error.reason;
    this.logger.error({ err: error, run_id: run.id }, 'run failed with an internal error');
    return { code: 'internal_error', message: 'The run failed for an internal reason.' };
  }
}

/** By the conventions for generative AI; the name of an agent is its team's. */
function spanOf(run: ClaimedRun): SpanDraft {
  return {
    name: 'invoke_agent',
    kind: 'consumer',
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': run.agent_id,
      'gen_ai.conversation.id': run.id,
      'aos.team.id': run.team_id,
      'aos.run.id': run.id,
      'aos.run.first': run.first,
    },
  };
}

/** A store that is away or too slow, or a service that a run needs to begin: no reason to end the run. */
function mayPass(error: unknown): boolean {
  return isPassing(error) || (error instanceof AppError && error.code === 'unavailable');
}

function stateOf(
  run: ClaimedRun,
  { config }: CopiedBuild,
): Omit<RunState, 'messages' | 'omitted' | 'intent'> {
  const { options, input } = config.data;
  const usedTokens = Number(run.input_tokens) + Number(run.output_tokens) - Number(run.limits_from_tokens);
  return {
    runId: run.id,
    teamId: run.team_id,
    agentId: run.agent_id,
    sandboxId: run.sandbox_id,
    fence: run.token,
    inDoubt: run.in_doubt,
    procedure: input,
    temperature: options.temperature,
    humanInTheLoop: run.human_in_the_loop_enabled,
    scriptPosition: run.script_position,
    left: {
      messages: runMessageLimits.count - run.message_seq,
      messageBytes: runMessageLimits.bytes - Number(run.message_bytes),
      steps: options.max_steps - (run.steps - run.limits_from_steps),
      activeMs: options.timeout_seconds * 1000 - Number(run.active_ms),
      tokens: options.max_tokens === undefined ? undefined : options.max_tokens - usedTokens,
    },
  };
}
