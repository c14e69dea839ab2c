import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** Asks the person at the terminal. */
export interface Prompts {
  /** A line of text. */
  ask(question: string, signal?: AbortSignal): Promise<string>;
  /** A line that is not shown. */
  askSecret(question: string, signal?: AbortSignal): Promise<string>;
}

export function terminalPrompts(input: Readable, output: Writable): Prompts {
  async function ask(question: string, isShown: boolean, signal?: AbortSignal): Promise<string> {
    const lines = createInterface({ input, output, terminal: true });
    if (!isShown) {
      output.write(question);
      Object.assign(lines, { _writeToOutput: () => undefined });
    }
    try {
      const line = await lines.question(isShown ? question : '', { signal });
      if (!isShown) output.write('\n');
      return line.trim();
    } finally {
      lines.close();
    }
  }
  return {
    ask: (question, signal) => ask(question, true, signal),
    askSecret: (question, signal) => ask(question, false, signal),
  };
}
