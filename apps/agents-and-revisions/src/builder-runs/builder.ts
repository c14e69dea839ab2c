import { buildByScript, ModelCatalog, type BuilderOutcome, type BuilderTask } from '@aos/agent-runtime';
import { builtinModel, type BuildConfig } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { ModelBuilder } from './model-builder.js';

/** Turns a task into a procedure, or into questions to the person who gave it. */
export interface Builder {
  build(task: BuilderTask, signal: AbortSignal): Promise<BuilderOutcome>;
}

const scriptedBuilder: Builder = {
  build: async (task) => buildByScript(task),
};

/** The builder of a config is its own model. */
@Injectable()
export class Builders {
  constructor(private readonly models: ModelCatalog) {}

  /** Throws a permanent `ModelError` if this installation does not have the model. */
  find({ data }: BuildConfig): Builder {
    const { model } = data.models.agent;
    if (model === builtinModel) return scriptedBuilder;
    return new ModelBuilder(this.models.find(model), data.options.temperature);
  }
}
