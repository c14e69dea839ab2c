import type { ResourceLimits } from 'node:worker_threads';
import { defaultCodeLimits } from '../src/code-limits.js';
import type { CodeOutcome } from '../src/code-outcome.js';
import { CodeThread } from '../src/code-thread.js';
import { MemoryFiles } from './memory-files.js';

/** Runs code in a thread with other limits than a sandbox gives it. */
export async function runAlone(code: string, resourceLimits: ResourceLimits): Promise<CodeOutcome> {
  const { signal } = new AbortController();
  const thread = await CodeThread.start({ limits: defaultCodeLimits, resourceLimits }, signal);
  try {
    return await thread.run(code, { files: new MemoryFiles(), signal });
  } finally {
    await thread.end();
  }
}
