import type { FileContent, SandboxFile } from '@aos/client';
import type { Command } from 'commander';
import { fileBytes } from '../file-bytes.js';
import { fieldLine } from '../output.js';
import type { Session, WithSession } from '../session.js';
import type { Column } from '../table.js';
import { writeWholeFile } from '../whole-file.js';

const columns: readonly Column<SandboxFile>[] = [
  { title: 'PATH', value: ({ path, type }) => (type === 'dir' ? `${path}/` : path) },
  { title: 'BYTES', value: ({ size_bytes }) => size_bytes },
  { title: 'CHANGED', value: ({ updated_at }) => updated_at },
];

export function addRunFilesCommand(runs: Command, withSession: WithSession): void {
  runs
    .command('files <run> [path]')
    .description('list the files of a run, or print one')
    .option('-o, --output <file>', 'write it there instead')
    .action(
      withSession(async (session, runId: string, path: string | undefined, options) => {
        const { client, output, signal } = session;
        const { output: target } = options as { output?: string };
        if (path === undefined || path.endsWith('/')) {
          const { files } = await client.listRunSandboxFilesByRun({ run_id: runId, path });
          output.table(files, columns, 'There is no file.');
          return;
        }
        const file = await client.getRunSandboxFileContentByRun({ run_id: runId, path });
        if (target === undefined) return print(session, file);
        await writeWholeFile(target, fileBytes(file, signal), signal);
        output.result({ path, file: target }, () => [`Written to ${target}.`]);
      }),
    );
}

/** A person is shown what can be read; a program is given all of it. */
async function print({ output, signal }: Session, file: FileContent): Promise<void> {
  const { json, isTerminal } = output.options;
  const isReadable = file.content !== null && file.encoding === 'utf-8';
  if (json || (isTerminal && !isReadable))
    output.result(file, () => [fieldLine('Download', file.download_url)]);
  else await output.bytes(fileBytes(file, signal), signal);
}
