import { defineTool, type Tool } from '@aos/agent-runtime';
import type { CodeFiles, CodeSandbox } from '@aos/code-sandbox';
import { AppError, maxFormFileBytes } from '@aos/contracts';
import { isText } from '@aos/file-store';
import { z } from 'zod';
import type { RunFiles, WorkingRun } from '../files/run-files.js';
import { toolError, toolResult } from './tool-result.js';

/** JavaScript in a machine of its own, with the files of the sandbox and nothing else. */
export function codeTools(sandbox: CodeSandbox, files: RunFiles): Tool[] {
  return [
    defineTool({
      name: 'run_code',
      description:
        'Runs JavaScript and gives what it returns and prints. `await` and `return` work at the top; an expression alone gives its value. Files of the sandbox: await files.read(path), files.write(path, text), files.list(path), files.remove(path). There is no network.',
      parameters: z.object({
        code: z
          .string()
          .min(1)
          .max(1024 * 1024),
      }),
      async execute({ code }, run) {
        const outcome = await sandbox.run(code, {
          files: filesOf(files, run),
          signal: run.signal,
          owner: run.teamId,
        });
        if (outcome.ok) return { kind: 'result', result: { result: outcome.result, output: outcome.output } };
        return toolError(outcome.output === '' ? outcome.error : `${outcome.error}\n${outcome.output}`);
      },
    }),
  ];
}

/** Hides internal errors from the code. */
function filesOf(files: RunFiles, run: WorkingRun): CodeFiles {
  return {
    read: (path) =>
      withToolErrors(async () => {
        const { file, bytes } = await files.read(run, path, maxFormFileBytes);
        if (Number(file.size_bytes) > bytes.length) throw tooLarge(file.path);
        if (!isText(bytes)) throw new AppError('invalid_request', `${file.path} is not a text file.`);
        return bytes.toString('utf8');
      }),
    write: (path, content) =>
      withToolErrors(async () => void (await files.write(run, path, Buffer.from(content, 'utf8')))),
    list: (path) => withToolErrors(() => files.list(run, path)),
    remove: (path) => withToolErrors(() => files.remove(run, path)),
  };
}

async function withToolErrors<T>(work: () => Promise<T>): Promise<T> {
  let value: T | undefined;
  const outcome = await toolResult(async () => {
    value = await work();
  });
  if (outcome.kind === 'error') throw new Error(outcome.message);
  return value as T;
}

function tooLarge(path: string): AppError {
  return new AppError('invalid_request', `${path} is too large to be read at once.`);
}
