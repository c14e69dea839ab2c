interface Turn {
  readonly text?: string;
  /** Arguments that are a text are sent as they are. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object | string }[];
  /** Why it ends: by itself, or cut off. */
  readonly ending?: 'length' | 'content_filter';
}

const anthropicEndings = { length: 'max_tokens', content_filter: 'refusal' } as const;

function argumentsText(given: object | string): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

const usage = { input: 7, output: 5 };

function* words(text: string): Generator<string> {
  for (const match of text.matchAll(/\S+\s*/g)) yield match[0];
}

/** Server-sent events of OpenAI's chat completions. */
export function openAiEvents({ text = '', toolCalls = [], ending }: Turn): string[] {
  const chunk = (delta: object, finish: string | null = null, extra: object = {}) =>
    `data: ${JSON.stringify({
      id: 'chat-1',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'stand-in',
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...extra,
    })}\n\n`;
  return [
    chunk({ role: 'assistant', content: '' }),
    ...[...words(text)].map((content) => chunk({ content })),
    ...toolCalls.map((call, index) =>
      chunk({
        tool_calls: [
          {
            index,
            id: `call-${index + 1}`,
            type: 'function',
            function: { name: call.name, arguments: argumentsText(call.arguments) },
          },
        ],
      }),
    ),
    chunk({}, ending ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'), {
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
      },
    }),
    'data: [DONE]\n\n',
  ];
}

/** Server-sent events of Anthropic's messages. */
export function anthropicEvents({ text = '', toolCalls = [], ending }: Turn): string[] {
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const blocks = [
    ...(text === ''
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: [...words(text)].map((part) => ({ type: 'text_delta', text: part })),
          },
        ]),
    ...toolCalls.map((call, index) => ({
      start: { type: 'tool_use', id: `call-${index + 1}`, name: call.name, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: argumentsText(call.arguments) }],
    })),
  ];
  const stop = ending ? anthropicEndings[ending] : toolCalls.length > 0 ? 'tool_use' : 'end_turn';
  return [
    event('message_start', {
      message: {
        id: 'msg-1',
        type: 'message',
        role: 'assistant',
        model: 'stand-in',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: usage.input, output_tokens: 0 },
      },
    }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    event('message_stop', {}),
  ];
}
