import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Processes that were given the folder as an argument: Chromium passes that of its profile to all of its own. */
export async function processesOf(folder: string): Promise<number[]> {
  // Only Linux has it; elsewhere the end that Playwright makes must do.
  const entries = await readdir('/proc').catch(() => []);
  const ids = entries.filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid);
  const found = await Promise.all(
    ids.map(async (id) => {
      const commandLine = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
      // Within an option, and not split into words: a renderer writes its command line with blanks.
      const isOurs = commandLine.includes(`=${folder}/`);
      return isOurs ? [Number(id)] : [];
    }),
  );
  return found.flat();
}

/** Ends them all, those too that hang or that outlive their parent. */
export async function killProcessesOf(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const ids = await processesOf(folder);
    if (ids.length === 0) return;
    for (const id of ids) kill(id);
    await delay(25);
  }
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
