import {
  AppError,
  getRun,
  getRunAsTask,
  idSchema,
  respondToHumanRequest,
  stopRun,
  type HumanRequest,
  type Operation,
  type OperationAnswer,
  type Principal,
  type RunAsTask,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import { authorize } from '../operations/authorize.js';
import { OperationCalls } from '../operations/operation-calls.js';
import { responseOf } from './elicitations.js';
import { hasTaskEnded, taskOfRun } from './run-as-task.js';
import type { TaskSource } from './tool-server.js';

/** Answers that came to nothing since the request was settled in between: the task tells how it is now. */
const tooLate = new Set(['invalid_state', 'not_found']);

/**
 * Runs as tasks. A task is its run: nothing is kept here, so any gateway tells the same of it, at any time. Each method
 * needs the scope of the operation that it stands for.
 */
@Injectable()
export class RunTasks {
  constructor(
    private readonly services: ServiceClient,
    private readonly calls: OperationCalls,
  ) {}

  of(principal: Principal, idempotencyKey: string | undefined): TaskSource {
    return {
      get: async (taskId) => {
        authorize(getRun, principal, undefined);
        return taskOfRun(await this.find(principal, taskId));
      },
      update: async (taskId, responses) => {
        authorize(respondToHumanRequest, principal, undefined);
        await this.respond(await this.find(principal, taskId), responses, principal, idempotencyKey);
      },
      cancel: async (taskId) => {
        authorize(stopRun, principal, undefined);
        const found = await this.find(principal, taskId);
        if (hasTaskEnded(found)) return;
        await this.call(stopRun, principal, { run_id: found.run_id });
      },
    };
  }

  async pendingRequest(principal: Principal, runId: string): Promise<HumanRequest | null> {
    authorize(getRun, principal, undefined);
    return (await this.find(principal, runId)).pending_human_request;
  }

  /** Passes on what a client's person answered; false where they declined what the run asks now. */
  async answer(
    principal: Principal,
    runId: string,
    responses: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    authorize(getRun, principal, undefined);
    authorize(respondToHumanRequest, principal, undefined);
    const found = await this.find(principal, runId);
    const { pending_human_request: request } = found;
    if (!request || !Object.hasOwn(responses, request.id)) return true;
    if (!responseOf(request, responses[request.id])) return false;
    await this.respond(found, responses, principal, undefined);
    return true;
  }

  private async find({ teamId }: Principal, taskId: string): Promise<RunAsTask> {
    const runId = idSchema.safeParse(taskId);
    if (!runId.success || teamId === null) throw unknownTask();
    try {
      return await this.services.call(getRunAsTask, { team_id: teamId, run_id: runId.data });
    } catch (error) {
      throw error instanceof AppError && error.code === 'not_found' ? unknownTask() : error;
    }
  }

  /** A response to anything but what the run asks now was given before, or to nothing. */
  private async respond(
    found: RunAsTask,
    responses: Readonly<Record<string, unknown>>,
    principal: Principal,
    idempotencyKey: string | undefined,
  ): Promise<void> {
    const request = found.pending_human_request;
    if (!request || hasTaskEnded(found) || !Object.hasOwn(responses, request.id)) return;
    const body = responseOf(request, responses[request.id]);
    if (!body) return;
    const params = { run_id: found.run_id, request_id: request.id };
    await this.call(respondToHumanRequest, principal, params, { body, idempotencyKey });
  }

  private async call(
    operation: Operation,
    principal: Principal,
    params: Record<string, string>,
    more: { body?: object; idempotencyKey?: string } = {},
  ): Promise<void> {
    const envelope = { principal, params, query: {}, channel: 'mcp' as const, ...more };
    const answer = await this.calls.dispatch(operation, envelope);
    const refused = refusalIn(answer);
    if (refused && !tooLate.has(refused.code)) throw refused;
  }
}

function refusalIn({ status, body }: OperationAnswer): AppError | undefined {
  if (status < 400) return undefined;
  const { error, message } = JSON.parse(body) as ReturnType<AppError['toBody']>;
  return new AppError(error, message);
}

/** One that never was, one of another team and what is no id at all. */
function unknownTask(): AppError {
  return new AppError('not_found', 'The task does not exist.');
}
