import { ModelError } from './model-error.js';

/** How many objects and lists may stand within each other in the arguments of a call, they themselves included. */
export const maxLevels = 100;

/** A model gave arguments that most of what reads them has too small a stack for; asking it again does not help. */
export class TooDeepError extends ModelError {
  override readonly name: string = 'TooDeepError';

  constructor() {
    super('permanent', `The arguments are not valid: they are nested deeper than ${maxLevels} levels.`);
  }
}

/** Goes through a JSON value level by level: a function that calls itself for each would need the stack itself. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNesting);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxLevels) return true;
    level = level.flatMap((one) => Object.values(one).filter(isNesting));
  }
  return false;
}

function isNesting(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
