/** How a run of code ended. Whatever code does is an outcome; only the sandbox itself rejects. */
export type CodeOutcome =
  | {
      readonly ok: true;
      /** What the code returned, as a JSON value. */
      readonly result: unknown;
      readonly output: string;
    }
  | {
      readonly ok: false;
      /** For the writer of the code: what was thrown, with its line, or the limit that was hit. */
      readonly error: string;
      readonly output: string;
    };

export const failed = (error: string, output = ''): CodeOutcome => ({ ok: false, error, output });
