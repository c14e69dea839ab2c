import { formatBytes } from './code-limits.js';
import type { FileAnswer, FileCall } from './machine/thread-messages.js';

/** The files that a run of code sees. The message of an Error that is thrown is shown to the code. */
export interface CodeFiles {
  read(path: string): Promise<string>;
  write(path: string, content: string): Promise<void>;
  list(path?: string): Promise<unknown>;
  remove(path: string): Promise<unknown>;
}

const maxMessageLength = 2_000;

/** Does what the code asked for. The answer is JSON of at most `fileBytes`, or says what was wrong. */
export async function answerFileCall(call: FileCall, files: CodeFiles, fileBytes: number): Promise<string> {
  try {
    const value = await callFiles(call, files, fileBytes);
    // A text is measured as it is stored; escapes only make its JSON longer.
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    assertFits(text, fileBytes, `The answer of files.${call.method}`);
    return JSON.stringify({ ok: true, value } satisfies FileAnswer);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The call failed.';
    return JSON.stringify({ ok: false, error: message.slice(0, maxMessageLength) } satisfies FileAnswer);
  }
}

async function callFiles({ method, args }: FileCall, files: CodeFiles, fileBytes: number): Promise<unknown> {
  const [path = '', content = ''] = args;
  switch (method) {
    case 'read':
      return files.read(path);
    case 'write':
      assertFits(content, fileBytes, 'A file');
      return files.write(path, content);
    case 'list':
      return files.list(args[0]);
    case 'remove':
      return files.remove(path);
  }
}

function assertFits(text: string, maxBytes: number, what: string): void {
  if (Buffer.byteLength(text) > maxBytes) throw new RangeError(`${what} may have ${formatBytes(maxBytes)}.`);
}
