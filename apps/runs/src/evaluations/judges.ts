import { modelCatalogOf, ModelJudge, scriptedJudge, type Judge, type ModelCatalog } from '@aos/agent-runtime';
import { builtinModel, type CopiedBuild } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';

/** The judge of a build is its own model. */
@Injectable()
export class Judges {
  private readonly catalog: ModelCatalog;

  constructor(@Inject(RunsSettings) private readonly settings: RunsConfig) {
    this.catalog = modelCatalogOf(settings);
  }

  /** Throws a `ModelError` if this installation does not have the model. */
  of({ config }: CopiedBuild): Judge {
    const { model } = config.data.models.agent;
    if (model === builtinModel) return scriptedJudge;
    return new ModelJudge(this.catalog.find(model), this.settings.MODEL_CONTEXT_CHARS);
  }
}
