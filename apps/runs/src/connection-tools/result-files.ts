import { retrying, TransientToolError } from '@aos/agent-runtime';
import { extensionOf, sandboxRoot } from '@aos/file-store';
import { newId } from '@aos/persistence';
import type { RunFiles, WorkingRun } from '../sandboxes/run-files.js';
import { toolResult } from '../tools/tool-result.js';
import type { KeptFile, ReceivedFile } from './mcp-result.js';

/** Where what a tool brought goes, for those who have called it. */
export type KeepFile = (run: WorkingRun, folder: string, file: ReceivedFile) => Promise<KeptFile>;

/**
 * Stores what a tool brought. The call has been made, so it is only the storing that is tried again; what finds no room
 * is named in the result, which is kept.
 */
export async function keepFile(
  files: RunFiles,
  run: WorkingRun,
  folder: string,
  { bytes, mimeType }: ReceivedFile,
): Promise<KeptFile> {
  const path = `${sandboxRoot}/connections/${folder}/${newId()}${extensionOf(mimeType)}`;
  const write = () =>
    toolResult(async () => {
      const file = await files.write(run, path, bytes);
      return { path: file.path, size_bytes: Number(file.size_bytes) };
    });
  const isTransient = (error: unknown) => error instanceof TransientToolError;
  try {
    const outcome = await retrying(write, { isTransient, signal: run.signal });
    return outcome.kind === 'result' ? (outcome.result as KeptFile) : { error: outcome.message };
  } catch (error) {
    if (!(error instanceof TransientToolError)) throw error;
    return { error: error.message };
  }
}
