import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { text as textOf } from 'node:stream/consumers';
import { allowedCallers, McpExchanges, refuseForeign, ToolServer, type Generation } from '@aos/gateway';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type GetPromptResult,
} from '@modelcontextprotocol/server';
import { askForContext, askingTools, states } from './asking-tools.js';
import { pixel, plainTools } from './plain-tools.js';
import { callTaskTool, FixtureTasks, taskTools } from './task-tools.js';

const info = { name: 'conformance-fixtures', version: '1.0.0' };
const tools = new Map([...plainTools, ...askingTools].map((one) => [one.definition.name, one]));
const tasks = new FixtureTasks();
const callers = allowedCallers({
  PUBLIC_BASE_URL: 'http://localhost',
  MCP_ALLOWED_HOSTS: [],
  MCP_ALLOWED_ORIGINS: [],
  CORS_ALLOWED_ORIGINS: [],
});
const exchanges = new McpExchanges({ keepAliveMs: 15_000, onError: () => undefined });

const resources = [
  { uri: 'test://static-text', name: 'Text', description: 'A text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'Picture', description: 'A picture', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'Watched', description: 'A text', mimeType: 'text/plain' },
];

const argument = (name: string) => ({ name, description: `The argument ${name}`, required: true });
const prompts = [
  { name: 'test_simple_prompt', description: 'Simple' },
  {
    name: 'test_prompt_with_arguments',
    description: 'With arguments',
    arguments: [argument('arg1'), argument('arg2')],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'With a resource',
    arguments: [argument('resourceUri')],
  },
  { name: 'test_prompt_with_image', description: 'With a picture' },
  { name: 'test_input_required_result_prompt', description: 'Asks first' },
];

function says(...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}

function promptOf(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  switch (name) {
    case 'test_simple_prompt':
      return says({ type: 'text', text: 'This is a simple prompt for testing.' });
    case 'test_prompt_with_arguments':
      return says({
        type: 'text',
        text: `Prompt with arguments: arg1='${given['arg1']}', arg2='${given['arg2']}'`,
      });
    case 'test_prompt_with_embedded_resource':
      return says(
        {
          type: 'resource',
          resource: {
            uri: given['resourceUri']!,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      );
    case 'test_prompt_with_image':
      return says(
        { type: 'image', data: pixel, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      );
    case 'test_input_required_result_prompt':
      return says({ type: 'text', text: 'The context has come.' });
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
  }
}

function contentOf(uri: string): object {
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { uri, mimeType: 'application/json', text };
  }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: pixel };
  if (uri === 'test://static-text') {
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
  }
  throw new ResourceNotFoundError(uri);
}

/** The product's server with the suite's fixtures, and what the product has no use for: resources, prompts, logs. */
function fixtureServer(generation: Generation): ToolServer {
  const server = new ToolServer(generation, {
    info,
    tasks,
    capabilities: { prompts: {}, resources: {}, completions: {}, logging: {} },
    requestState: { verify: states.verify },
    tools: {
      list: async () => ({
        tools: [...[...tools.values()].map(({ definition }) => definition), ...taskTools],
        ttlMs: 1_000,
      }),
      call: async (name, given, call) => {
        if (taskTools.some((one) => one.name === name)) return callTaskTool(tasks, name, given, call);
        const found = tools.get(name);
        if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
        return found.call(given, call);
      },
    },
    translate: (error) => error as Error,
  });
  server.setRequestHandler('resources/list', async () => ({ resources }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'Template', description: 'Data by id' },
    ],
  }));
  server.setRequestHandler(
    'resources/read',
    async ({ params }) => ({ contents: [contentOf(params.uri)] }) as never,
  );
  server.setRequestHandler('prompts/list', async () => ({ prompts }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const asked = params.name === 'test_input_required_result_prompt' ? askForContext(context) : undefined;
    return (asked ?? promptOf(params.name, params.arguments ?? {})) as GetPromptResult;
  });
  server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  return server;
}

async function answer(request: IncomingMessage): Promise<Response> {
  refuseForeign(callers, request.headers);
  if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
  const body = JSON.parse(await textOf(request)) as unknown;
  const controller = new AbortController();
  request.socket.once('close', () => controller.abort());
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return exchanges.answer({ headers, body, signal: controller.signal }, fixtureServer);
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answered = await answer(request);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (answered.body === null) response.end();
    else Readable.fromWeb(answered.body as ReadableStream).pipe(response);
  } catch (error) {
    response.writeHead((error as { status?: number }).status ?? 400).end();
  }
}

/** Serves the fixtures of the conformance suite over the handler of the product. */
export async function startFixtureServer(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  return {
    url: `http://localhost:${address.port}/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
