import {
  modelCatalogOf,
  ScriptedModel,
  TracedModel,
  type Model,
  type ModelCatalog,
} from '@aos/agent-runtime';
import { builtinModel, type CopiedBuild } from '@aos/contracts';
import { Tracing } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';

/** A model, and how much of a long run it is shown. */
export interface RunModel {
  readonly model: Model;
  readonly contextChars: number;
  /** How much of it is kept in memory, beside what it may always need. */
  readonly memoryBytes: number;
}

/** A script fills in what is always kept. */
const scriptMemoryBytes = 64 * 1024;

/** The model that a build names. */
@Injectable()
export class RunModels {
  private readonly catalog: ModelCatalog;
  /** A script is read once for each copy of a build. */
  private readonly scripted = new WeakMap<CopiedBuild, Model>();

  constructor(
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    private readonly tracing: Tracing,
  ) {
    this.catalog = modelCatalogOf(settings, tracing);
  }

  of(build: CopiedBuild): RunModel {
    const name = build.config.data.models.agent.model;
    if (name === builtinModel) {
      return { model: this.script(build), contextChars: Infinity, memoryBytes: scriptMemoryBytes };
    }
    // One that is not there fails the run at its first turn, as any model that fails.
    const model: Model = { generate: async (request) => this.catalog.find(name).generate(request) };
    const { MODEL_CONTEXT_CHARS: contextChars } = this.settings;
    // Twice: what is cut later leaves room for more of what is old.
    return { model, contextChars, memoryBytes: 2 * contextChars };
  }

  private script(build: CopiedBuild): Model {
    let model = this.scripted.get(build);
    if (!model) {
      model = new TracedModel(new ScriptedModel(build.config.data.input), builtinModel, this.tracing);
      this.scripted.set(build, model);
    }
    return model;
  }
}
