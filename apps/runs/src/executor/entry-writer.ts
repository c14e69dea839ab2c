import type { AfterStep, Entry } from '@aos/agent-runtime';
import { humanRequestCreated, runCompleted, runPaused, runToolCallCompleted } from '@aos/contracts';
import type { NewEvent } from '@aos/events';
import { newId } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { RunChange } from '../run-core/changes/run-change.js';
import type { ClaimedRun } from '../run-core/claims/run-claims.js';
import { RunEvents } from '../run-core/records/run-events.js';
import { toMessageRecord } from '../run-core/records/stored-records.js';
import { changeBy, type RunMoveName } from '../run-core/run-state.js';
import { factsOf } from '../run-core/run.mapper.js';

interface Before {
  readonly steps: number;
  readonly seenSeq: number;
  readonly model: string;
}

/** Turns an entry of the step loop into the change of the run that stores it, with its events. */
@Injectable()
export class EntryWriter {
  constructor(private readonly events: RunEvents) {}

  toChange(run: ClaimedRun, entry: Entry, before: Before): RunChange {
    const messages = entry.messages.map(toMessageRecord);
    const { then, step } = entry;
    const requestId = newId();
    const { inputTokens = 0, outputTokens = 0 } = step?.usage ?? {};
    const usage = { toolCalls: step?.kind === 'tool' ? 1 : 0, inputTokens, outputTokens };
    const activeMs = Math.round(entry.activeMs);
    const events = [
      ...this.events.ofMessages(run, messages),
      ...this.ofToolCalls(run, entry),
      ...this.ofEnd(run, then, requestId),
    ];
    return {
      runId: run.id,
      ...changeBy(moves[then.kind]),
      token: run.token,
      steps: before.steps,
      seenSeq: then.kind === 'complete' ? before.seenSeq : undefined,
      result: then.kind === 'complete' ? then.result : undefined,
      error: then.kind === 'fail' ? then.error : undefined,
      scriptPosition: entry.scriptPosition,
      activeMs,
      usage,
      step: step && {
        name: step.name,
        kind: step.kind,
        status: step.status,
        attempts: step.attempts,
        input_tokens: step.usage?.inputTokens ?? null,
        output_tokens: step.usage?.outputTokens ?? null,
        tool_calls: step.toolCalls ?? null,
        error: step.error ?? null,
        started_at: step.startedAt,
        completed_at: step.completedAt,
      },
      humanRequest: then.kind === 'ask' ? requestRow(requestId, then) : undefined,
      isJudgedByFacts: run.has_rubrics === false,
      isCaseless: run.case_id === null,
      keepsLease: then.kind === 'go-on',
      settlesDoubt: then.kind === 'complete' || then.kind === 'fail',
      requeueAfterMs: pauseAfter(then),
      messages,
      events: this.events.withUsage(run, events, {
        tool_calls: usage.toolCalls || undefined,
        active_ms: activeMs || undefined,
        ...(inputTokens + outputTokens > 0 && {
          model: before.model,
          input_tokens: inputTokens,
          output_tokens: outputTokens,
        }),
      }),
    };
  }

  private ofToolCalls(run: ClaimedRun, { toolCallsEnded = [] }: Entry) {
    return toolCallsEnded.flatMap(({ id, name, ok, durationMs, error }) => {
      const call = { tool_call_id: id, name, ok, duration_ms: Math.round(durationMs), error };
      return this.events.publicEvent({
        event: runToolCallCompleted,
        teamId: run.team_id,
        data: { run_id: run.id, ...call },
      });
    });
  }

  private ofEnd(run: ClaimedRun, then: AfterStep, requestId: string) {
    const teamId = run.team_id;
    if (then.kind === 'complete') {
      const data = factsOf(run, { status: 'completed', result: then.result });
      return [
        ...this.events.publicEvent({ event: runCompleted, teamId, data }),
        ...this.events.ofScheduledRun(run, { ok: true }),
      ];
    }
    if (then.kind === 'fail') return this.events.ofFailure(run, then.error);
    if (then.kind === 'ask') {
      const { type, title } = then.request;
      const facts = { run_id: run.id, request_id: requestId, type, title };
      const paused: NewEvent<typeof runPaused> = {
        event: runPaused,
        teamId,
        data: factsOf(run, { status: 'waiting' }),
      };
      return [
        ...this.events.publicEvent({ event: humanRequestCreated, teamId, data: facts }),
        ...this.events.publicEvent(paused),
      ];
    }
    return [];
  }
}

const moves = {
  'go-on': 'step',
  complete: 'complete',
  fail: 'fail',
  ask: 'ask',
  sleep: 'step',
  await: 'step',
} as const satisfies Readonly<Record<AfterStep['kind'], RunMoveName>>;

function pauseAfter(then: AfterStep): number | undefined {
  return then.kind === 'sleep' || then.kind === 'await' ? Math.max(1, Math.ceil(then.ms)) : undefined;
}

function requestRow(id: string, { request, toolCallId }: Extract<AfterStep, { kind: 'ask' }>): object {
  return {
    id,
    tool_call_id: toolCallId,
    type: request.type,
    title: request.title,
    description: request.description,
    questions: request.questions,
    assignee: request.assignee,
    due_at: request.dueAt,
    on_timeout: request.onTimeout,
    required_approvals: request.requiredApprovals,
  };
}
