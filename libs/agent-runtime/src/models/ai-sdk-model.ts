import {
  APICallError,
  jsonSchema,
  streamText,
  tool,
  type FinishReason,
  type ModelMessage as SdkMessage,
  type TextStreamPart,
  type ToolSet,
} from 'ai';
import { z } from 'zod';
import { whyNotJson } from './broken-arguments.js';
import {
  asConversation,
  type Model,
  type ModelMessage,
  type ModelRequest,
  type ModelTurn,
  type ToolCall,
  type ToolDescription,
} from './model.js';
import { AnswerFilteredError, AnswerTruncatedError } from './errors/cut-answer-error.js';
import { ModelError, type ModelErrorKind } from './errors/model-error.js';
import { maxOutputBytes, OutputTooLargeError } from './errors/output-too-large-error.js';
import { refusalOf, streamedErrorOf } from './errors/provider-refusal.js';
import { tooDeepInput, withShallowCalls, type SdkModel } from './shallow-calls.js';
import { TooDeepError } from './errors/too-deep-error.js';
import { parseRetryAfterMs } from '../retries/retrying.js';

// The SDK would write its warnings to the console, past our logger and its redaction.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

/** A text, what was thought before it, and some calls, each as long as it may be. */
const maxReceived = 4 * maxOutputBytes;

export interface AiSdkModelOptions {
  readonly model: SdkModel;
  /** For the error messages: `openai/gpt-…`. */
  readonly name: string;
  /** The whole call; a provider that hangs is not waited for longer. */
  readonly timeoutMs: number;
}

/** Any provider that the AI SDK speaks to. The answer is streamed, so that aborting ends it at once. */
export class AiSdkModel implements Model {
  private readonly model: SdkModel;

  constructor(private readonly options: AiSdkModelOptions) {
    this.model = withShallowCalls(options.model);
  }

  async generate(request: ModelRequest): Promise<ModelTurn> {
    const timeout = AbortSignal.timeout(this.options.timeoutMs);
    try {
      return await this.stream(request, AbortSignal.any([request.signal, timeout]));
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      if (timeout.aborted) {
        throw new ModelError(
          'transient',
          `${this.options.name} did not answer within ${this.options.timeoutMs} ms.`,
        );
      }
      throw this.translate(error);
    }
  }

  private async stream(request: ModelRequest, signal: AbortSignal): Promise<ModelTurn> {
    const result = streamText({
      model: this.model,
      system: request.system || undefined,
      messages: asConversation(request.messages).map(toSdkMessage),
      tools: toSdkTools(request.tools),
      temperature: request.temperature,
      maxOutputTokens: request.maxOutputTokens,
      // Retries are ours: they must know the run's limits.
      maxRetries: 0,
      abortSignal: signal,
      onError: () => undefined,
      // The SDK drops a refusal of chat completions.
      includeRawChunks: true,
    });
    let text = '';
    let thinking = '';
    let refusal = '';
    let received = 0;
    const toolCalls: ToolCall[] = [];
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') throw signal.reason;
      if (part.type === 'raw') refusal += refusalIn(part.rawValue);
      received += sizeOfPart(part);
      // Leaving the loop ends the stream: text past the limit is not waited for.
      if (received > maxReceived) throw new OutputTooLargeError(`The answer of ${this.options.name}`);
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'reasoning-delta') thinking += part.text;
      if (part.type === 'tool-call') {
        toolCalls.push({ id: part.toolCallId, name: part.toolName, ...argumentsOf(part) });
      }
    }
    const { inputTokens = 0, outputTokens = 0 } = await result.usage;
    const usage = { inputTokens, outputTokens };
    const { name } = this.options;
    const partial = { text: text || refusal, thinking, usage };
    const ending = endingOf(await result.finishReason, await result.rawFinishReason);
    if (ending === 'length') throw new AnswerTruncatedError(name, partial, request.maxOutputTokens);
    if (ending === 'content-filter' || refusal !== '') throw new AnswerFilteredError(name, partial);
    if (ending === 'error') throw new ModelError('transient', `${name} broke its answer off.`, { usage });
    if (text === '' && toolCalls.length === 0 && outputTokens === 0) {
      throw new ModelError('transient', `${name} gave an empty answer.`, { usage });
    }
    return { text, thinking, toolCalls, usage };
  }

  private translate(error: unknown): unknown {
    if (error instanceof ModelError) return error;
    const { name } = this.options;
    if (APICallError.isInstance(error)) {
      const retryAfterMs = parseRetryAfterMs(error.responseHeaders?.['retry-after']);
      const { kind, what } = verdict(error);
      return new ModelError(kind, `${name} ${what}.`, { retryAfterMs, cause: error });
    }
    const said = streamedErrorOf(error);
    if (said !== undefined) return new ModelError('transient', `${name} broke its answer off: ${said}.`);
    // Anything else is an answer that the SDK could not parse.
    return new ModelError('transient', `${name} gave an answer that cannot be read.`, { cause: error });
  }
}

const refusedChunk = z.object({ choices: z.tuple([z.object({ delta: z.object({ refusal: z.string() }) })]) });

function refusalIn(chunk: unknown): string {
  return refusedChunk.safeParse(chunk).data?.choices[0].delta.refusal ?? '';
}

/** Classifies endings that the SDK does not know by the provider's own word. */
function endingOf(ending: FinishReason, raw = ''): FinishReason {
  if (ending !== 'other') return ending;
  if (/length|max_?(?:output_?)?tokens|context/i.test(raw)) return 'length';
  if (/filter|safety|sensitive|blocked|prohibited|recitation|refus/i.test(raw)) return 'content-filter';
  return /error|resource|aborted|cancel/i.test(raw) ? 'error' : ending;
}

function sizeOfPart(part: TextStreamPart<ToolSet>): number {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text.length;
  return part.type === 'tool-input-delta' ? part.delta.length : 0;
}

function verdict(error: APICallError): { kind: ModelErrorKind; what: string } {
  const { statusCode, isRetryable } = error;
  if (statusCode === undefined) return { kind: 'transient', what: 'cannot be reached' };
  if (statusCode < 400) return { kind: 'transient', what: 'broke off in the middle of its answer' };
  const kind = isRetryable || statusCode >= 500 ? 'transient' : 'permanent';
  return { kind, what: refusalOf(error) };
}

function toSdkMessage(message: ModelMessage): SdkMessage {
  if (message.role === 'user') return { role: 'user', content: message.text };
  if (message.role === 'tool') {
    const output = { type: 'text' as const, value: message.result };
    return {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: message.toolCallId, toolName: message.toolName, output }],
    };
  }
  const calls = (message.toolCalls ?? []).map((call) => ({
    type: 'tool-call' as const,
    toolCallId: call.id,
    toolName: call.name,
    input: call.arguments,
  }));
  const text = message.text === '' ? [] : [{ type: 'text' as const, text: message.text }];
  return { role: 'assistant', content: [...text, ...calls] };
}

function toSdkTools(tools: readonly ToolDescription[]): ToolSet | undefined {
  if (tools.length === 0) return undefined;
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
}

function argumentsOf({
  input,
  invalid,
}: {
  readonly input: unknown;
  readonly invalid?: boolean;
}): Pick<ToolCall, 'arguments' | 'refused'> {
  if (input === tooDeepInput) return { arguments: {}, refused: new TooDeepError().message };
  const broken = invalid && typeof input === 'string' ? whyNotJson(input) : undefined;
  if (broken !== undefined) return { arguments: {}, refused: broken };
  return { arguments: asArguments(input) };
}

/** Arguments that are no object are the model's fault; the tool will say so. */
function asArguments(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : { input };
}
