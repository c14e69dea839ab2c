import { extensionOf, sandboxRoot } from '@aos/file-store';
import { newId } from '@aos/persistence';
import type { RunFiles, WorkingRun } from '../../files/run-files.js';
import { storing } from '../storing.js';
import type { KeptFile, ReceivedFile } from './mcp-result.js';

/** Where what a tool brought goes, for those who have called it. */
export type KeepFile = (run: WorkingRun, folder: string, file: ReceivedFile) => Promise<KeptFile>;

/** Stores what a tool brought; what finds no room is named in the result. */
export async function keepFile(
  files: RunFiles,
  run: WorkingRun,
  folder: string,
  { bytes, mimeType }: ReceivedFile,
): Promise<KeptFile> {
  const path = `${sandboxRoot}/connections/${folder}/${newId()}${extensionOf(mimeType)}`;
  const stored = await storing(() => files.write(run, path, bytes), run.signal);
  if ('error' in stored) return stored;
  return { path: stored.value.path, size_bytes: Number(stored.value.size_bytes) };
}
