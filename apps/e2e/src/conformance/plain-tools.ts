import type { ToolCall } from '@aos/gateway';
import {
  MissingRequiredClientCapabilityError,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/server';

export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const silence = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export interface FixtureTool {
  readonly definition: Tool;
  call(given: Readonly<Record<string, unknown>>, call: ToolCall): Promise<CallToolResult>;
}

export const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function tool(
  name: string,
  call: FixtureTool['call'],
  inputSchema: Tool['inputSchema'] = { type: 'object', properties: {} },
): FixtureTool {
  return {
    definition: { name, description: `A fixture of the conformance suite: ${name}`, inputSchema },
    call,
  };
}

const image = { type: 'image', data: pixel, mimeType: 'image/png' } as const;

/** The schema whose keywords must come through a list of tools as they are. */
const richSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as Tool['inputSchema'];

async function withProgress({ meta, context }: ToolCall): Promise<CallToolResult> {
  const progressToken = meta['progressToken'] as string | number | undefined;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      const params = { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` };
      await context.mcpReq.notify({ method: 'notifications/progress', params });
    }
    await pause(50);
  }
  return text('Done, step by step');
}

async function withLogging({ context }: ToolCall): Promise<CallToolResult> {
  for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await context.mcpReq.log('info', said);
    await pause(50);
  }
  return text('Logged three times');
}

/** Tools that answer at once, or tell how they get on. */
export const plainTools: readonly FixtureTool[] = [
  tool('test_simple_text', async () => text('This is a simple text response for testing.')),
  tool('test_image_content', async () => ({ content: [image] })),
  tool('test_audio_content', async () => ({
    content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }],
  })),
  tool('test_embedded_resource', async () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  tool('test_multiple_content_types', async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  tool('test_tool_with_logging', (_given, call) => withLogging(call)),
  tool('test_logging_tool', (_given, call) => withLogging(call)),
  tool('test_error_handling', async () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  tool('test_tool_with_progress', (_given, call) => withProgress(call)),
  tool('test_streaming_elicitation', (_given, call) => withProgress({ ...call, meta: { progressToken: 1 } })),
  tool('test_missing_capability', async () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  }),
  tool('json_schema_2020_12_tool', async () => text('Taken'), richSchema),
];
