import { ModelError } from './errors/model-error.js';
import type { Model, ModelRequest, ModelTurn, TokenUsage } from './model.js';

/** Is told what an answer has used; the answer is not used before that is done. */
export type TellUsage = (usage: TokenUsage) => Promise<void>;

/** Tells of every answer what it has used, also of those that are of no use: their tokens are paid for all the same. */
export class MeteredModel implements Model {
  constructor(
    private readonly model: Model,
    private readonly tell: TellUsage,
  ) {}

  async generate(request: ModelRequest): Promise<ModelTurn> {
    const turn = await this.answered(request);
    await this.tell(turn.usage);
    return turn;
  }

  private async answered(request: ModelRequest): Promise<ModelTurn> {
    try {
      return await this.model.generate(request);
    } catch (error) {
      if (error instanceof ModelError && error.options.usage) await this.tell(error.options.usage);
      throw error;
    }
  }
}
