import { describeProblems, ModelCatalog, parseSteps } from '@aos/agent-runtime';
import { builtinModel, type BuildConfig } from '@aos/contracts';
import { Injectable } from '@nestjs/common';

/** Warns of faults that make every run of a revision fail: a model without a key, steps that cannot be parsed. */
@Injectable()
export class RevisionWarnings {
  constructor(private readonly models: ModelCatalog) {}

  of({ data: { models, input } }: BuildConfig): string[] {
    const { model } = models.agent;
    if (model !== builtinModel) {
      const setting = this.models.missingSetting(model);
      if (setting === undefined) return [];
      return [
        `The model ${model} is not configured on this installation, so runs of this revision fail. ` +
          `Choose another model, or have the operator set ${setting}.`,
      ];
    }
    const steps = parseSteps(input);
    if (steps.kind !== 'invalid') return [];
    return [
      `The steps of the procedure cannot be followed, so runs of this revision fail: ${describeProblems(steps.problems)}.`,
    ];
  }
}
