import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const documents = new URL('../../../docs/', import.meta.url);

/** The fenced blocks of a document in one language, in the order in which a reader meets them. */
export async function blocksOf(document: string, language: string): Promise<string[]> {
  const text = await readFile(fileURLToPath(new URL(document, documents)), 'utf8');
  const fence = new RegExp(`^(\`{3,})${language}\\n(.*?)\\n\\1$`, 'gms');
  return [...text.matchAll(fence)].map(([, , block]) => block!);
}

/** Runs a script as a reader would, but for the first failure, which ends it; and ends what it left running. */
export function runScript(
  script: string,
  { folder, environment }: { folder: string; environment: Readonly<Record<string, string>> },
): Promise<{ exitCode: number | null; text: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, to which all belongs that it starts.
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  child.on('exit', () => endGroup(child.pid!));
  return new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, text })));
}

/** What a script has left running; it may be nothing. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
