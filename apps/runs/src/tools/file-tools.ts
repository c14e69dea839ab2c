import { defineTool, type Tool } from '@aos/agent-runtime';
import { AppError, filePathSchema } from '@aos/contracts';
import { contentTypeOf, sandboxRoot } from '@aos/file-store';
import { z } from 'zod';
import type { RunFiles } from '../files/run-files.js';
import { textOf, toolResult } from './tool-result.js';

const maxReadBytes = 256 * 1024;
const maxWrittenLength = 1024 * 1024;

const path = filePathSchema.describe(`Relative to ${sandboxRoot}, or beginning with it.`);

/** Files in the sandbox of the run. Making any of these calls twice is making it once. */
export function fileTools(files: RunFiles): Tool[] {
  return [
    defineTool({
      name: 'read_file',
      description: 'Reads a text file of the sandbox.',
      parameters: z.object({ path }),
      repeatable: true,
      instant: true,
      execute: (args, run) =>
        toolResult(async () => {
          const { file, bytes } = await naming(args.path, files.read(run, args.path, maxReadBytes));
          const isCut = Number(file.size_bytes) > bytes.length;
          const text = textOf(bytes, isCut);
          if (text === undefined) {
            const what = `${file.size_bytes} bytes of ${contentTypeOf(file.path)}`;
            throw new AppError('invalid_request', `${file.path} is not a text file: it has ${what}.`);
          }
          return isCut ? `${text}\n[cut: the file has ${file.size_bytes} bytes]` : text;
        }),
    }),
    defineTool({
      name: 'write_file',
      description:
        'Writes a text file into the sandbox. What was there is replaced; folders come by themselves.',
      parameters: z.object({ path, content: z.string().max(maxWrittenLength) }),
      repeatable: true,
      // It is noted with the key of its bytes.
      instant: true,
      execute: (args, run) =>
        toolResult(async () => {
          const bytes = Buffer.from(args.content, 'utf8');
          const file = await files.write(run, args.path, bytes, { noteAs: 'write_file' });
          return { path: file.path, size_bytes: Number(file.size_bytes) };
        }),
    }),
    defineTool({
      name: 'list_files',
      description: 'Lists what is in a folder of the sandbox.',
      parameters: z.object({ path: path.optional() }),
      repeatable: true,
      instant: true,
      execute: (args, run) =>
        toolResult(async () => ({
          files: await naming(args.path ?? sandboxRoot, files.list(run, args.path)),
        })),
    }),
    defineTool({
      name: 'delete_file',
      description: 'Deletes a file of the sandbox. `deleted` is false if there was none.',
      parameters: z.object({ path }),
      repeatable: true,
      execute: (args, run) =>
        toolResult(async () => ({ path: args.path, deleted: await files.remove(run, args.path) })),
    }),
  ];
}

/** Names the missing path: the agent knows its own sandbox. */
async function naming<T>(wanted: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') {
      throw new AppError('not_found', `There is nothing at ${wanted}.`);
    }
    throw error;
  });
}
