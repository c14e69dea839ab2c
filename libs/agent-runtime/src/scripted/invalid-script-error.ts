import { ModelError } from '../models/errors/model-error.js';
import { describeProblems, type StepProblem } from './steps.js';

/** The steps of the procedure cannot be read; trying again does not help. */
export class InvalidScriptError extends ModelError {
  override readonly name: string = 'InvalidScriptError';

  constructor(problems: readonly StepProblem[]) {
    super('permanent', `The steps of the operating procedure are not valid: ${describeProblems(problems)}.`);
  }
}
