import {
  AppError,
  ignoredFields,
  refuseIgnored,
  startRun,
  type Operation,
  type OperationAnswer,
  type OperationEnvelope,
  type Principal,
} from '@aos/contracts';
import { Metrics, ServiceIdentity, type Histogram } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/server';
import type { CreateTaskResultV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import type { FastifyReply } from 'fastify';
import { refusalOf } from '../operations/authorize.js';
import { OperationCalls } from '../operations/operation-calls.js';
import { RunWaits, stateText, type RunState, waitSeconds } from '../streams/runs/run-waits.js';
import { agentOutputSchema, AgentTools, maxAgentWaitSeconds, type AgentTool } from './agent-tools.js';
import { AskedClients, type Waited } from './asked-clients.js';
import { callIdempotencyKey } from './call-idempotency-key.js';
import { operationTools, type OperationTool } from './operation-tools.js';
import { progressOf } from './progress.js';
import { startedTask } from './run-as-task.js';
import { runResult } from './run-results.js';
import { requestOf, teamIn, type ToolArguments } from './tool-arguments.js';
import { errorResult, toolResult } from './tool-results.js';
import type { ToolCall, ToolSource } from './tool-server.js';
import type { Toolsets } from './toolsets.js';

/** One POST to the endpoint: who calls, what was asked for, and where the answer goes. */
export interface McpCaller {
  readonly principal: Principal;
  readonly toolsets: Toolsets;
  /** Whether the list of tools says what each answers. */
  readonly wantsOutputSchemas: boolean;
  readonly reply: FastifyReply;
  readonly idempotencyKey: string | undefined;
  /** Whether the client reads what comes before the answer. */
  readonly readsStreams: boolean;
}

type ListAgents = ReturnType<AgentTools['of']>;
type Answered = CallToolResult | CreateTaskResultV2;

/** The list of operations changes with a release, the list of agents at any time. */
const listTtlMs = 300_000;
/** Less than the minute after which clients give up that see no progress. */
const silentWaitSeconds = 50;

/** The tools of one caller. A call takes the very way of the operation's own request. */
@Injectable()
export class McpTools {
  private readonly tools: ReadonlyMap<string, OperationTool>;
  readonly toolsets: ReadonlySet<string>;
  private readonly durations: Histogram<'tool' | 'outcome'>;

  constructor(
    identity: ServiceIdentity,
    private readonly calls: OperationCalls,
    private readonly waits: RunWaits,
    private readonly agents: AgentTools,
    private readonly asked: AskedClients,
    metrics: Metrics,
  ) {
    this.tools = operationTools(identity.table.operations);
    this.toolsets = new Set([...this.tools.values()].map(({ toolset }) => toolset));
    this.durations = metrics.histogram({
      name: 'aos_mcp_tool_duration_seconds',
      help: 'Time from the call of a tool to its result, by tool',
      labelNames: ['tool', 'outcome'],
    });
  }

  /** For all messages of the POST. */
  of(caller: McpCaller): ToolSource {
    const agents = this.agentsOf(caller);
    return {
      list: async () => ({
        tools: [
          ...this.offered(caller).map((tool) => shown(tool.definition, tool.outputSchema, caller)),
          ...(await agents()).map(({ definition }) => shown(definition, agentOutputSchema, caller)),
        ],
        ttlMs: caller.toolsets.agents ? 0 : listTtlMs,
      }),
      call: (name, given, call) => this.timed(name, () => this.call(caller, agents, name, given, call)),
    };
  }

  private offered({ principal, toolsets }: McpCaller): OperationTool[] {
    return [...this.tools.values()].filter(
      ({ operation, toolset }) => toolsets.includes(toolset) && !refusalOf(operation, principal, undefined),
    );
  }

  private agentsOf({ principal, toolsets }: McpCaller): ListAgents {
    return toolsets.agents ? this.agents.of(principal) : async () => [];
  }

  private async call(
    caller: McpCaller,
    agents: ListAgents,
    name: string,
    given: ToolArguments,
    call: ToolCall,
  ): Promise<Answered> {
    const tool = this.tools.get(name);
    if (tool && caller.toolsets.includes(tool.toolset)) {
      return refusalsAsResults(() => this.callOperation(caller, tool, given, call));
    }
    const agent = (await agents()).find(({ definition }) => definition.name === name);
    if (!agent)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
    return refusalsAsResults(() => this.callAgent(caller, agent, given, call));
  }

  private async callOperation(
    caller: McpCaller,
    tool: OperationTool,
    given: ToolArguments,
    call: ToolCall,
  ): Promise<Answered> {
    const { operation } = tool;
    const { principal } = caller;
    const refused = refusalOf(operation, principal, teamIn(tool, given));
    if (refused) throw refused;
    const envelope = this.envelope(caller, operation, requestOf(tool, given, principal.teamId), call);
    if (!operation.waitsFor)
      return toolResult(await this.answered(caller, this.calls.dispatch(operation, envelope)));
    const seconds = waitSeconds(envelope.body);
    if (call.takesTasks && seconds === 0) return this.start(caller, envelope);
    const answer = await this.await(caller, envelope, seconds, call);
    return 'asks' in answer ? answer.asks : toolResult(answer);
  }

  private async callAgent(
    caller: McpCaller,
    { agentId }: AgentTool,
    given: ToolArguments,
    call: ToolCall,
  ): Promise<Answered> {
    const { principal } = caller;
    const { wait_seconds: seconds, ...rest } = given;
    const request = { params: { teamId: principal.teamId }, query: {}, body: { ...rest, agent_id: agentId } };
    if (typeof given['message'] !== 'string') {
      throw new AppError('invalid_request', 'message: is required, and must be a string');
    }
    refuseIgnored(ignoredFields(startRun, request));
    const envelope = this.envelope(caller, startRun, request, call);
    if (call.takesTasks && !seconds) return this.start(caller, envelope);
    const answer = await this.await(caller, envelope, agentWaitSeconds(seconds, caller, call), call);
    if ('asks' in answer) return answer.asks;
    return answer.status === startRun.status ? runResult(JSON.parse(answer.body)) : toolResult(answer);
  }

  private envelope(
    { principal, idempotencyKey }: McpCaller,
    operation: Operation,
    request: Pick<OperationEnvelope, 'params' | 'query' | 'body'>,
    call: ToolCall,
  ): OperationEnvelope {
    const key = callIdempotencyKey(operation, call.meta, idempotencyKey);
    return { ...request, principal, idempotencyKey: key, channel: 'mcp' };
  }

  private async start(caller: McpCaller, envelope: OperationEnvelope): Promise<Answered> {
    const answer = await this.answered(caller, this.calls.dispatch(startRun, envelope));
    return answer.status === startRun.status ? startedTask(JSON.parse(answer.body)) : toolResult(answer);
  }

  private async await(
    caller: McpCaller,
    envelope: OperationEnvelope,
    seconds: number,
    call: ToolCall,
  ): Promise<OperationAnswer | { readonly asks: CallToolResult }> {
    const { reply, readsStreams, principal } = caller;
    const waitMs = seconds * 1000;
    const seen = readsStreams ? progressOf(call) : undefined;
    const wait = { reply, seen, endsAt: performance.now() + waitMs };
    const { repeated } = call;
    if (repeated) return answerOf(await this.asked.goOn(principal, call, repeated, wait));
    const start = () => this.calls.dispatch(startRun, envelope);
    const answer = await this.answered(caller, this.waits.start(envelope, { reply, seen, waitMs }, start));
    if (answer.status !== startRun.status || !this.asked.canAsk(principal, call)) return answer;
    const waited = await this.asked.ask(principal, call, JSON.parse(answer.body) as RunState, wait);
    return { ...answer, ...answerOf(waited) };
  }

  private async answered({ reply }: McpCaller, work: Promise<OperationAnswer>): Promise<OperationAnswer> {
    const answer = await work;
    // A stream has sent its headers by now.
    if (answer.replayed && !reply.raw.headersSent) reply.header('idempotency-replayed', 'true');
    return answer;
  }

  private async timed(name: string, work: () => Promise<Answered>): Promise<Answered> {
    const done = this.durations.startTimer({ tool: this.tools.has(name) ? name : 'agent' });
    let outcome = 'refused';
    try {
      const result = await work();
      outcome = 'isError' in result && result.isError ? 'error' : 'ok';
      return result;
    } finally {
      done({ outcome });
    }
  }
}

/** As startRun answers. */
function answerOf(waited: Waited): OperationAnswer | { readonly asks: CallToolResult } {
  return 'asks' in waited ? waited : { status: startRun.status, body: stateText(waited.run) };
}

function shown(
  definition: Tool,
  outputSchema: Tool['outputSchema'],
  { wantsOutputSchemas }: McpCaller,
): Tool {
  return wantsOutputSchemas && outputSchema ? { ...definition, outputSchema } : definition;
}

async function refusalsAsResults(work: () => Promise<Answered>): Promise<Answered> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return errorResult(error);
    throw error;
  }
}

/** As long as the client says; else as long as it can be expected to stay. */
function agentWaitSeconds(given: unknown, { readsStreams }: McpCaller, { meta }: ToolCall): number {
  if (typeof given === 'number' && given >= 0 && given <= maxAgentWaitSeconds) return given;
  if (given !== undefined && given !== null) {
    throw new AppError('invalid_request', `wait_seconds: must be a number from 0 to ${maxAgentWaitSeconds}`);
  }
  return readsStreams && meta['progressToken'] !== undefined ? maxAgentWaitSeconds : silentWaitSeconds;
}
