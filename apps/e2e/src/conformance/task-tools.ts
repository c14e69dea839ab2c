import { randomUUID } from 'node:crypto';
import type { TaskSource, ToolCall } from '@aos/gateway';
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/server';
import type { CreateTaskResultV2, DetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { askForName, named } from './asking-tools.js';
import { text } from './plain-tools.js';

type End = { readonly result: CallToolResult } | { readonly error: { code: number; message: string } };

interface FixtureTask {
  readonly id: string;
  readonly createdAt: string;
  readonly pending: Set<string>;
  end?: End;
  cancelled?: boolean;
}

const extension = 'io.modelcontextprotocol/tasks';
const question = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Shall I?',
    requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
  },
} as const;

/** Tasks that end by the clock or by an answer, in memory: the product has runs for this. */
export class FixtureTasks implements TaskSource {
  private readonly tasks = new Map<string, FixtureTask>();

  start(work: { afterMs?: number; end: End; asks?: readonly string[] }): CreateTaskResultV2 {
    const task: FixtureTask = {
      id: randomUUID(),
      createdAt: new Date().toISOString(),
      pending: new Set(work.asks ?? []),
    };
    this.tasks.set(task.id, task);
    if (task.pending.size === 0) setTimeout(() => (task.end = work.end), work.afterMs ?? 0).unref();
    else task.end = work.end;
    return { resultType: 'task', status: 'working', ...base(task) };
  }

  async get(taskId: string): Promise<DetailedTaskV2> {
    const task = this.find(taskId);
    if (task.cancelled) return { ...base(task), status: 'cancelled' };
    if (task.pending.size > 0) {
      const inputRequests = Object.fromEntries([...task.pending].map((key) => [key, question]));
      return { ...base(task), status: 'input_required', inputRequests } as DetailedTaskV2;
    }
    if (!task.end) return { ...base(task), status: 'working' };
    if ('error' in task.end) return { ...base(task), status: 'failed', error: task.end.error };
    return { ...base(task), status: 'completed', result: task.end.result } as unknown as DetailedTaskV2;
  }

  async update(taskId: string, responses: Readonly<Record<string, unknown>>): Promise<void> {
    const { pending } = this.find(taskId);
    for (const key of Object.keys(responses)) pending.delete(key);
  }

  async cancel(taskId: string): Promise<void> {
    const task = this.find(taskId);
    if (!task.end || task.pending.size > 0) task.cancelled = true;
  }

  private find(taskId: string): FixtureTask {
    const task = this.tasks.get(taskId);
    if (!task) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The task does not exist.');
    return task;
  }
}

function base({ id, createdAt }: FixtureTask) {
  return { taskId: id, createdAt, lastUpdatedAt: createdAt, ttlMs: 600_000, pollIntervalMs: 100 };
}

const inputs: Readonly<Record<string, Tool['inputSchema']>> = {
  greet: { type: 'object', properties: { name: { type: 'string' } } },
  slow_compute: { type: 'object', properties: { seconds: { type: 'number' }, label: { type: 'string' } } },
  failing_job: { type: 'object', properties: {} },
  protocol_error_job: { type: 'object', properties: {} },
  confirm_delete: { type: 'object', properties: { filename: { type: 'string' } } },
  multi_input: { type: 'object', properties: {} },
  test_tool_with_task: { type: 'object', properties: {} },
};

export const taskTools: readonly Tool[] = Object.entries(inputs).map(([name, inputSchema]) => ({
  name,
  description: `A fixture of the conformance suite: ${name}`,
  inputSchema,
}));

/** The tools of the tasks scenarios (SEP-2663). */
export async function callTaskTool(
  tasks: FixtureTasks,
  name: string,
  given: Readonly<Record<string, unknown>>,
  { takesTasks, context }: ToolCall,
): Promise<CallToolResult | CreateTaskResultV2> {
  if (name === 'greet') return text(`Hello, ${String(given['name'])}!`);
  if (name === 'slow_compute') {
    const done = text(`Computed ${String(given['label'])}`);
    const afterMs = Number(given['seconds'] ?? 0) * 1000;
    return takesTasks ? tasks.start({ afterMs, end: { result: done } }) : done;
  }
  if (!takesTasks) {
    const requiredCapabilities = { extensions: { [extension]: {} } };
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
  }
  switch (name) {
    case 'failing_job':
      return tasks.start({ afterMs: 500, end: { result: { ...text('It failed'), isError: true } } });
    case 'protocol_error_job':
      return tasks.start({ afterMs: 200, end: { error: { code: -32603, message: 'It broke' } } });
    case 'confirm_delete':
      return tasks.start({ end: { result: text('Deleted') }, asks: ['confirm'] });
    case 'multi_input':
      return tasks.start({ end: { result: text('Both are there') }, asks: ['first', 'second'] });
    default: {
      const user = named(context);
      return user === undefined ? askForName() : tasks.start({ end: { result: text(`Hello, ${user}!`) } });
    }
  }
}
