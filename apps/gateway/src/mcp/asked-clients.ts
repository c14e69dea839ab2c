import { getRun, grants, respondToHumanRequest, type Principal } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { inputRequired, type CallToolResult } from '@modelcontextprotocol/server';
import { RunWaits, type RunState, type Wait } from '../streams/runs/run-waits.js';
import { elicitationOf } from './elicitations.js';
import { RunTasks } from './run-tasks.js';
import type { ToolCall } from './tool-server.js';

/** The run's state, or the question that the client must answer before it calls again. */
export type Waited = { readonly run: RunState } | { readonly asks: CallToolResult };

type CallWait = Omit<Wait, 'known' | 'waitMs'> & { readonly endsAt: number };

const maxQuestions = 50;
const idOf = (runId: string, requestId: string) => `human-request/${runId}/${requestId}`;
const askedId = /^human-request\/([^/]+)\/([^/]+)$/;

/** Puts what a run asks before the person at the client whose call waits for the run. */
@Injectable()
export class AskedClients {
  constructor(
    private readonly tasks: RunTasks,
    private readonly waits: RunWaits,
  ) {}

  /** Whether the client can be asked, and its credential may answer. */
  canAsk({ scopes }: Principal, { showsForms }: ToolCall): boolean {
    return showsForms && [getRun, respondToHumanRequest].every(({ scope }) => grants(scopes, scope));
  }

  /** Asks while the run waits for a person and there is time. */
  async ask(principal: Principal, call: ToolCall, state: RunState, wait: CallWait): Promise<Waited> {
    let run = state;
    for (let round = 0; run.status === 'waiting' && round < maxQuestions; round += 1) {
      const request = await this.tasks.pendingRequest(principal, run.run_id);
      const waitMs = wait.endsAt - performance.now();
      if (waitMs <= 0) break;
      if (request && !call.ask) {
        const inputRequests = { [request.id]: elicitationOf(request) };
        const asks = inputRequired({ inputRequests, requestState: run.run_id } as Parameters<
          typeof inputRequired
        >[0]);
        return { asks: asks as unknown as CallToolResult };
      }
      if (request) call.ask!(idOf(run.run_id, request.id), elicitationOf(request));
      run = await this.waits.resume(principal, run.run_id, { ...wait, waitMs, known: request?.id });
    }
    return { run };
  }

  /** A call that its client makes again, with what it was asked: the run is there, and goes on. */
  async goOn(
    principal: Principal,
    call: ToolCall,
    { state: runId, responses }: NonNullable<ToolCall['repeated']>,
    wait: CallWait,
  ): Promise<Waited> {
    const isAnswered = await this.tasks.answer(principal, runId, responses);
    const waitMs = isAnswered ? Math.max(0, wait.endsAt - performance.now()) : 0;
    const run = await this.waits.resume(principal, runId, { ...wait, waitMs });
    return isAnswered ? this.ask(principal, call, run, wait) : { run };
  }

  /** The response of an earlier client, which comes by itself. One to anything else was given to nothing. */
  async respond(principal: Principal, id: unknown, response: unknown): Promise<void> {
    const [, runId, requestId] = askedId.exec(String(id)) ?? [];
    if (runId && requestId) await this.tasks.answer(principal, runId, { [requestId]: response });
  }
}
