import { ModelError } from './model-error.js';

/** What one text, the arguments of one call, or one result may take. */
export const maxOutputBytes = 1024 * 1024;

/** A model wrote more than a run can keep; asking it again does not help. */
export class OutputTooLargeError extends ModelError {
  override readonly name: string = 'OutputTooLargeError';

  constructor(what: string) {
    super('permanent', `${what} is too long: at most ${maxOutputBytes} bytes can be kept.`);
  }
}

/** Whether a text fits; most texts are so short that their bytes need not be counted. */
export function fitsOutput(text: string): boolean {
  return text.length * 3 <= maxOutputBytes || Buffer.byteLength(text) <= maxOutputBytes;
}
