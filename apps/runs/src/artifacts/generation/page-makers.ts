import { modelCatalogOf, type ModelCatalog } from '@aos/agent-runtime';
import { builtinModel } from '@aos/contracts';
import { Tracing } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../../runs.config.js';
import { ModelPageMaker } from './model-page-maker.js';
import type { PageMaker } from './page-maker.js';
import { scriptedPageMaker } from './scripted-page-maker.js';

/** Selects the page maker by the model of the artifact. */
@Injectable()
export class PageMakers {
  private readonly catalog: ModelCatalog;

  constructor(
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    tracing: Tracing,
  ) {
    this.catalog = modelCatalogOf(settings, tracing);
  }

  /** Throws a permanent `ModelError` if this installation does not have the model. */
  of(model: string): PageMaker {
    if (model === builtinModel) return scriptedPageMaker;
    return new ModelPageMaker(this.catalog.find(model), this.settings.MODEL_CONTEXT_CHARS);
  }
}
