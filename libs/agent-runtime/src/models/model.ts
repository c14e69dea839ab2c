/** A tool as a model is told of it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Why it cannot be made; the model is told so instead of a result. */
  readonly refused?: string;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ToolCall[] }
  | {
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly result: string;
    };

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDescription[];
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** How far a model with a memory of its own has got; what the last turn gave, 0 at first. */
  readonly scriptPosition?: number;
  /** Ends the call under way at once. */
  readonly signal: AbortSignal;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** One turn of a model: what it said, what it wants done, what it cost. */
export interface ModelTurn {
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: TokenUsage;
  /** By default a turn that calls no tool is the last one. */
  readonly then?: AfterTurn;
  readonly scriptPosition?: number;
  /** How many calls it took; 1 unless a transient failure was tried again. */
  readonly attempts?: number;
}

/** What a model that follows a script wants after its turn. */
export type AfterTurn =
  | { readonly kind: 'continue' }
  | { readonly kind: 'finish' }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'wait'; readonly ms: number };

/** The one way to a language model, of any provider. */
export interface Model {
  generate(request: ModelRequest): Promise<ModelTurn>;
}

/** Providers refuse a conversation that does not begin with a user, or that leaves the model nothing to answer. */
export function asConversation(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const begin: ModelMessage[] = messages[0]?.role === 'user' ? [] : [{ role: 'user', text: 'Begin.' }];
  const goOn: ModelMessage[] =
    messages.at(-1)?.role === 'assistant' ? [{ role: 'user', text: 'Go on.' }] : [];
  return [...begin, ...messages, ...goOn];
}
