import type { Model, ModelRequest, ModelTurn, ToolCall } from '../src/models/model.js';

export function turn(given: Partial<ModelTurn>): ModelTurn {
  return { text: '', thinking: '', toolCalls: [], usage: { inputTokens: 0, outputTokens: 0 }, ...given };
}

export function call(id: string, name: string, args: Record<string, unknown> = {}): ToolCall {
  return { id, name, arguments: args };
}

export type Play = ModelTurn | Error | ((request: ModelRequest) => Promise<ModelTurn>);

/** Plays the given turns one after the other and remembers what it was shown. */
export class PlayedModel implements Model {
  readonly requests: ModelRequest[] = [];
  private readonly plays: Play[];

  constructor(...plays: Play[]) {
    this.plays = plays;
  }

  async generate(request: ModelRequest): Promise<ModelTurn> {
    this.requests.push(request);
    const play = this.plays.shift();
    if (play === undefined) throw new Error('the model was called once too often');
    if (play instanceof Error) throw play;
    return typeof play === 'function' ? play(request) : play;
  }
}

/** Never ends by itself and pays no heed to the signal. */
export function hang(): Promise<never> {
  return new Promise(() => undefined);
}
