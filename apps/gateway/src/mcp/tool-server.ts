import { anyObjectSchema } from '@aos/contracts';
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type ClientCapabilities,
  type Implementation,
  type JSONRPCRequest,
  type Result,
  type ServerCapabilities,
  type ServerContext,
  type ServerOptions,
  type Tool,
} from '@modelcontextprotocol/server';
import {
  TASKS_EXTENSION_ID_V2,
  type CreateTaskResultV2,
  type DetailedTaskV2,
  type InputRequestV2,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import { z } from 'zod';

/** `modern`: the 2026-07-28 revision, in which every request stands for itself. `legacy`: 2025-11-25 and before. */
export type Generation = 'modern' | 'legacy';

/** A call of a tool, beside its name and arguments. */
export interface ToolCall {
  /** Whether the client takes a task for an answer. */
  readonly takesTasks: boolean;
  /** Whether the client shows forms to a person. */
  readonly showsForms: boolean;
  /** To an earlier client: a request while its call is open. Its response comes in a POST of its own. */
  readonly ask?: (id: string, request: InputRequestV2) => void;
  /** From a later client, which makes its call again with what it was asked. */
  readonly repeated?: { readonly state: string; readonly responses: Readonly<Record<string, unknown>> };
  readonly meta: Readonly<Record<string, unknown>>;
  readonly context: ServerContext;
}

export interface ToolSource {
  list(): Promise<{ readonly tools: readonly Tool[]; readonly ttlMs: number }>;
  call(
    name: string,
    given: Record<string, unknown>,
    call: ToolCall,
  ): Promise<CallToolResult | CreateTaskResultV2>;
}

export interface TaskSource {
  get(taskId: string): Promise<DetailedTaskV2>;
  update(taskId: string, responses: Readonly<Record<string, unknown>>): Promise<void>;
  cancel(taskId: string): Promise<void>;
}

export interface ToolServerOptions {
  readonly info: Implementation;
  readonly instructions?: string;
  readonly tools: ToolSource;
  readonly tasks?: TaskSource;
  readonly capabilities?: ServerCapabilities;
  /** Whether an earlier client has said, when it introduced itself, that it shows forms. */
  readonly showsForms?: boolean;
  /** For tools that ask their client something: how its state is known again. */
  readonly requestState?: ServerOptions['requestState'];
  readonly translate: (error: unknown) => Error;
}

const meta = anyObjectSchema.optional();
const listParams = z.looseObject({ cursor: z.string().optional() });
const callParams = z.looseObject({
  name: z.string(),
  arguments: anyObjectSchema.optional(),
  _meta: meta,
});
const taskParams = z.looseObject({ taskId: z.string(), _meta: meta });

/** One exchange with one client. Nothing of it outlives the answer: what has to last is kept by the sources. */
export class ToolServer extends Server {
  constructor(
    readonly generation: Generation,
    private readonly source: ToolServerOptions,
  ) {
    super(source.info, {
      instructions: source.instructions,
      requestState: source.requestState,
      capabilities: {
        tools: {},
        // Earlier clients say what they can once, in a session, and there are none here.
        ...(source.tasks && generation === 'modern' ? { extensions: { [TASKS_EXTENSION_ID_V2]: {} } } : {}),
        ...source.capabilities,
      },
    });
    this.setRequestHandler('tools/list', { params: listParams }, ({ cursor }) => this.list(cursor));
    this.setRequestHandler('tools/call', { params: callParams }, (params, context) =>
      this.call(params, context),
    );
    if (generation === 'legacy') {
      // To earlier clients the HTTP status 404 says that their session is over.
      this.fallbackRequestHandler = async () => {
        throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
      };
    } else if (source.tasks) {
      this.serveTasks(source.tasks);
    }
  }

  private serveTasks(tasks: TaskSource): void {
    this.setRequestHandler('tasks/get', { params: taskParams }, ({ taskId }, context) =>
      this.withTasks(context, async () => ({ ...(await tasks.get(taskId)) })),
    );
    this.setRequestHandler('tasks/update', { params: taskParams }, ({ taskId }, context) =>
      this.withTasks(context, async () => {
        // The SDK takes the responses out of the parameters, and only those that look like some.
        await tasks.update(taskId, context.mcpReq.inputResponses ?? {});
        return {};
      }),
    );
    this.setRequestHandler('tasks/cancel', { params: taskParams }, ({ taskId }, context) =>
      this.withTasks(context, async () => {
        await tasks.cancel(taskId);
        return {};
      }),
    );
  }

  private list(cursor: string | undefined): Promise<Result> {
    return this.translated(async () => {
      if (cursor !== undefined) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          'There is one page; no cursor leads to another.',
        );
      }
      return { ...(await this.source.tools.list()), cacheScope: 'private' };
    });
  }

  private call(params: z.output<typeof callParams>, context: ServerContext): Promise<Result> {
    const { name, arguments: given = {}, _meta: sent = {} } = params;
    return this.translated(async () => ({
      ...(await this.source.tools.call(name, given, {
        takesTasks: takesTasks(context),
        ...this.formsOf(context),
        meta: sent,
        context,
      })),
    }));
  }

  private formsOf(context: ServerContext): Pick<ToolCall, 'showsForms' | 'ask' | 'repeated'> {
    const { mcpReq } = context;
    if (this.generation === 'legacy') {
      const ask: ToolCall['ask'] = (id, request) =>
        void this.transport?.send({ jsonrpc: '2.0', id, ...request }, { relatedRequestId: mcpReq.id });
      return { showsForms: this.source.showsForms ?? false, ask };
    }
    const state = mcpReq.requestState<string>();
    return {
      showsForms: declaresForms(capabilitiesOf(context)),
      ...(state === undefined ? {} : { repeated: { state, responses: mcpReq.inputResponses ?? {} } }),
    };
  }

  private withTasks(context: ServerContext, work: () => Promise<Result>): Promise<Result> {
    if (takesTasks(context)) return this.translated(work);
    const requiredCapabilities = { extensions: { [TASKS_EXTENSION_ID_V2]: {} } };
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
  }

  private async translated(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.source.translate(error);
    }
  }

  /** The SDK holds the result of a tool against the shape of one, and knows no tasks: they go past the check. */
  protected override _wrapHandler(
    method: string,
    handler: (request: JSONRPCRequest, context: ServerContext) => Promise<Result>,
  ): (request: JSONRPCRequest, context: ServerContext) => Promise<Result> {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    const checked = super._wrapHandler(method, async (request, context) => {
      const result = await handler(request, context);
      if (result['resultType'] === 'task') throw new TaskStarted(result);
      return result;
    });
    return async (request, context) => {
      try {
        return await checked(request, context);
      } catch (error) {
        if (error instanceof TaskStarted) return error.task;
        throw error;
      }
    };
  }
}

class TaskStarted extends Error {
  constructor(readonly task: Result) {
    super('The answer is a task');
  }
}

/** Declared with the request itself. Its settings are an object, of which none are known yet. */
function takesTasks(context: ServerContext): boolean {
  const settings: unknown = capabilitiesOf(context)?.extensions?.[TASKS_EXTENSION_ID_V2];
  return typeof settings === 'object' && settings !== null;
}

/** A client that names no kind of elicitation shows forms. */
export function declaresForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation: unknown = capabilities?.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}

function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
}
