import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { CommandError } from './exit-codes.js';

/** Asks the person at the terminal. */
export interface Prompts {
  /** A line of text. */
  ask(question: string, signal?: AbortSignal): Promise<string>;
  /** A line that is not shown. */
  askSecret(question: string, signal?: AbortSignal): Promise<string>;
}

/** While a line is read the terminal sends Ctrl-C as a key and not as a signal: `interrupt` is told of it. */
export function terminalPrompts(input: Readable, output: Writable, interrupt: () => void): Prompts {
  async function ask(question: string, isShown: boolean, signal?: AbortSignal): Promise<string> {
    const lines = createInterface({ input, output, terminal: true });
    lines.once('SIGINT', interrupt);
    if (!isShown) {
      output.write(question);
      Object.assign(lines, { _writeToOutput: () => undefined });
    }
    // Ctrl-D, or a terminal that is gone.
    const closed = new Promise<never>((_, reject) => {
      lines.once('close', () => reject(new CommandError('No answer was given.')));
    });
    try {
      const line = await Promise.race([lines.question(isShown ? question : '', { signal }), closed]);
      return line.trim();
    } finally {
      if (!isShown) output.write('\n');
      lines.close();
    }
  }
  return {
    ask: (question, signal) => ask(question, true, signal),
    askSecret: (question, signal) => ask(question, false, signal),
  };
}
