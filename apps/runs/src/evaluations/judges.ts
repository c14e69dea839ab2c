import {
  MeteredModel,
  modelCatalogOf,
  ModelJudge,
  ScriptedJudge,
  type Judge,
  type ModelCatalog,
  type TellUsage,
} from '@aos/agent-runtime';
import { builtinModel, type CopiedBuild } from '@aos/contracts';
import { Tracing } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';

/** The judge of a build is its own model. */
@Injectable()
export class Judges {
  private readonly catalog: ModelCatalog;

  constructor(
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    tracing: Tracing,
  ) {
    this.catalog = modelCatalogOf(settings, tracing);
  }

  /** Throws a `ModelError` if this installation does not have the model. */
  of({ config }: CopiedBuild, tell: TellUsage): Judge {
    const { model } = config.data.models.agent;
    if (model === builtinModel) return new ScriptedJudge(tell);
    const metered = new MeteredModel(this.catalog.find(model), tell);
    return new ModelJudge(metered, this.settings.MODEL_CONTEXT_CHARS);
  }
}
