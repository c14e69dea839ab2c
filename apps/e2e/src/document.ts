import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export function textOf(document: string): Promise<string> {
  return readFile(join(root, document), 'utf8');
}

/** The fenced blocks of a document in one language, in the order in which a reader meets them. */
export async function blocksOf(document: string, language: string): Promise<string[]> {
  const text = await textOf(document);
  const fence = new RegExp(`^(\`{3,})${language}\\n(.*?)\\n\\1$`, 'gms');
  return [...text.matchAll(fence)].map(([, , block]) => block!);
}

/** Makes a folder like that of a clone in which `npm start` runs: the credentials, `npx aos` and `@aos/client`. */
export async function startedClone(credentials: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clone-'));
  await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true });
  await symlink(join(root, 'apps', 'cli', 'bin', 'aos.mjs'), join(folder, 'node_modules', '.bin', 'aos'));
  await symlink(join(root, 'node_modules', '@aos'), join(folder, 'node_modules', '@aos'));
  await mkdir(join(folder, '.data'));
  await writeFile(join(folder, '.data', 'credentials.json'), JSON.stringify(credentials));
  return folder;
}

interface Outcome {
  readonly exitCode: number | null;
  readonly text: string;
  /** Process groups of background commands that went on after the script. */
  readonly left: readonly number[];
}

/** The time in which background commands that a script has stopped must end. */
const endingMs = 10_000;

/** Runs a script in a shell with job control, as a terminal has it, up to the first failure; ends what it leaves. */
export function runScript(
  script: string,
  { folder, environment = {} }: { folder: string; environment?: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const jobList = join(tmpdir(), `jobs-${randomUUID()}`);
  const watched = `set -m\ntrap 'jobs -p > ${jobList}' EXIT\n${script}`;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', watched], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, npm_config_update_notifier: 'false', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  let left: number[] = [];
  let ending: NodeJS.Timeout | undefined;
  child.on('exit', (exitCode) => {
    const jobs = readFileSync(jobList, 'utf8').split('\n').filter(Boolean).map(Number);
    rmSync(jobList);
    ending = setTimeout(() => (left = jobs.filter(endGroup)), exitCode === 0 ? endingMs : 0);
  });
  return new Promise((resolve) => {
    // Comes once no command holds the output any more.
    child.on('close', (exitCode) => {
      clearTimeout(ending);
      resolve({ exitCode, text, left });
    });
  });
}

/** Ends a process group; false if it has ended already. */
function endGroup(leader: number): boolean {
  try {
    return process.kill(-leader, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
