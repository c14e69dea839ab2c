import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { text, tool, type FixtureTool } from './plain-tools.js';

/** Signs what goes to the client and back. */
export const states = createRequestStateCodec<{ step: number }>({ key: 'a key of thirty-two bytes or more' });

const form = (message: string, field: string, type: 'string' | 'boolean' = 'string') => {
  const properties = { [field]: type === 'string' ? { type } : { type } };
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required: [field] },
  });
};

const sample = (words: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens,
  });

/** What the SDK calls an input-required result goes the way of any other. */
const asks = (spec: Parameters<typeof inputRequired>[0]): CallToolResult =>
  inputRequired(spec) as unknown as CallToolResult;

function has({ mcpReq }: ServerContext, ...keys: string[]): boolean {
  return keys.every((key) => mcpReq.inputResponses !== undefined && key in mcpReq.inputResponses);
}

function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities;
}

async function confirmed(context: ServerContext, word: string): Promise<CallToolResult> {
  if (has(context, 'confirm') && context.mcpReq.requestState<{ step: number }>()?.step === 1)
    return text(word);
  return asks({
    inputRequests: { confirm: form('Please confirm', 'ok', 'boolean') },
    requestState: await states.mint({ step: 1 }, context),
  });
}

async function manyRounds(context: ServerContext): Promise<CallToolResult> {
  const step = context.mcpReq.requestState<{ step: number }>()?.step ?? 0;
  if (step === 2 && has(context, 'step2')) return text('Both steps are done');
  const second = step === 1 && has(context, 'step1');
  return asks({
    inputRequests: second
      ? { step2: form('Step 2: What is your favorite color?', 'color') }
      : { step1: form('Step 1: What is your name?', 'name') },
    requestState: await states.mint({ step: second ? 2 : 1 }, context),
  });
}

/** Asks for the name of the user until it is there. */
export function named(context: ServerContext): string | undefined {
  const content = acceptedContent(context.mcpReq.inputResponses, 'user_name') as
    | { name?: unknown }
    | undefined;
  return typeof content?.name === 'string' ? content.name : undefined;
}

export const askForName = () => asks({ inputRequests: { user_name: form('What is your name?', 'name') } });

/** Tools that ask their client something before they answer (SEP-2322). */
export const askingTools: readonly FixtureTool[] = [
  tool('test_input_required_result_elicitation', async (_given, { context }) => {
    const name = named(context);
    return name === undefined ? askForName() : text(`Hello, ${name}!`);
  }),
  tool('test_input_required_result_sampling', async (_given, { context }) => {
    if (!has(context, 'capital_question')) {
      return asks({ inputRequests: { capital_question: sample('What is the capital of France?', 100) } });
    }
    return text(JSON.stringify(inputResponse(context.mcpReq.inputResponses, 'capital_question')));
  }),
  tool('test_input_required_result_list_roots', async (_given, { context }) => {
    if (!has(context, 'client_roots'))
      return asks({ inputRequests: { client_roots: inputRequired.listRoots() } });
    return text(JSON.stringify(inputResponse(context.mcpReq.inputResponses, 'client_roots')));
  }),
  tool('test_input_required_result_request_state', (_given, { context }) => confirmed(context, 'state-ok')),
  tool('test_input_required_result_tampered_state', (_given, { context }) => confirmed(context, 'untouched')),
  tool('test_input_required_result_multiple_inputs', async (_given, { context }) => {
    if (has(context, 'user_name', 'greeting', 'client_roots')) return text('All three have come');
    return asks({
      inputRequests: {
        user_name: form('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ step: 1 }, context),
    });
  }),
  tool('test_input_required_result_multi_round', (_given, { context }) => manyRounds(context)),
  tool('test_input_required_result_capabilities', async (_given, { context }) => {
    const { elicitation, sampling } = capabilitiesOf(context);
    if (has(context, 'user_name') || has(context, 'greeting')) return text('Answered');
    return asks({
      inputRequests: {
        ...(elicitation ? { user_name: form('What is your name?', 'name') } : {}),
        ...(sampling ? { greeting: sample('Generate a greeting', 50) } : {}),
      },
    });
  }),
];

export const askForContext = (context: ServerContext) =>
  has(context, 'user_context')
    ? undefined
    : inputRequired({
        inputRequests: { user_context: form('What context should the prompt use?', 'context') },
      });
