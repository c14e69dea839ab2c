import {
  buildByScript,
  MeteredModel,
  ModelCatalog,
  usageOfScript,
  type BuilderOutcome,
  type BuilderTask,
  type TellUsage,
} from '@aos/agent-runtime';
import { builtinModel, type BuildConfig } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { ModelBuilder } from './model-builder.js';

/** Turns a task into a procedure, or into questions to the person who gave it. */
export interface Builder {
  build(task: BuilderTask, signal: AbortSignal): Promise<BuilderOutcome>;
}

/** The builder of a config is its own model. */
@Injectable()
export class Builders {
  constructor(private readonly models: ModelCatalog) {}

  /** Throws a permanent `ModelError` if this installation does not have the model. */
  find({ data }: BuildConfig, tell: TellUsage): Builder {
    const { model } = data.models.agent;
    if (model === builtinModel) return scriptedBuilder(tell);
    return new ModelBuilder(new MeteredModel(this.models.find(model), tell), data.options.temperature);
  }
}

function scriptedBuilder(tell: TellUsage): Builder {
  return {
    build: async (task) => {
      const outcome = buildByScript(task);
      await tell(usageOfScript(task, outcome));
      return outcome;
    },
  };
}
