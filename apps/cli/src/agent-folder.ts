import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import type { Schedule } from '@aos/client';
import { CommandError } from './exit-codes.js';
import type { RevisionFiles } from './wanted-revision.js';

/** The fields of a schedule that people write. */
export type ScheduleFile = Partial<
  Pick<
    Schedule,
    | 'schedule_id'
    | 'enabled'
    | 'frequency'
    | 'time'
    | 'timezone'
    | 'day'
    | 'day_of_month'
    | 'cron'
    | 'recurring'
    | 'message'
  >
>;

/** An agent as files, so that it lives in a repository. */
export interface AgentFiles extends RevisionFiles {
  readonly agent: {
    /** None before it is pushed for the first time. */
    readonly agent_id?: string;
    readonly name: string;
    readonly description?: string | null;
    readonly agentic_memory_enabled?: boolean;
  };
  readonly schedules: readonly ScheduleFile[];
  /** Path to text. */
  readonly memory: Readonly<Record<string, string>>;
}

const names = {
  agent: 'agent.json',
  config: 'config.json',
  procedure: 'procedure.md',
  rubrics: 'rubrics.json',
  schedules: 'schedules.json',
  memory: 'memory',
};

export async function readAgentFolder(folder: string): Promise<AgentFiles> {
  const agent = await readJson<AgentFiles['agent']>(folder, names.agent);
  if (typeof agent?.name !== 'string') {
    throw new CommandError(`${join(folder, names.agent)}: must be there and have a name.`);
  }
  return {
    agent,
    config: await readJson<AgentFiles['config']>(folder, names.config),
    procedure: (await readText(join(folder, names.procedure)))?.replace(/\n$/, ''),
    rubrics: await readJson<AgentFiles['rubrics']>(folder, names.rubrics),
    schedules: (await readJson<ScheduleFile[]>(folder, names.schedules)) ?? [],
    memory: await readMemory(join(folder, names.memory)),
  };
}

/** Memory files that are gone elsewhere stay here: a folder is under version control, which shows them. */
export async function writeAgentFolder(folder: string, files: AgentFiles): Promise<void> {
  await mkdir(folder, { recursive: true });
  const json = {
    agent: files.agent,
    config: files.config,
    rubrics: files.rubrics,
    schedules: files.schedules,
  };
  for (const [name, value] of Object.entries(json)) {
    if (value === undefined) continue;
    await writeFile(join(folder, names[name as keyof typeof json]), `${JSON.stringify(value, null, 2)}\n`);
  }
  if (files.procedure !== undefined) await writeFile(join(folder, names.procedure), `${files.procedure}\n`);
  for (const [path, text] of Object.entries(files.memory)) {
    const file = join(folder, names.memory, within(path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** A path that a run has chosen must not lead out of the folder. */
function within(path: string): string {
  const normal = posix.normalize(path);
  if (normal.startsWith('..') || posix.isAbsolute(normal) || normal.includes('\\') || normal.includes(':')) {
    throw new CommandError(`The memory file "${path}" has no place in a folder.`);
  }
  return normal;
}

async function readMemory(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absent);
  const files = (entries ?? []).filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    const path = file.slice(folder.length + 1).replaceAll(sep, '/');
    return [path, await readFile(file, 'utf8')] as const;
  });
  return Object.fromEntries((await Promise.all(texts)).sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function readJson<T>(folder: string, name: string): Promise<T | undefined> {
  const text = await readText(join(folder, name));
  try {
    return text === undefined ? undefined : (JSON.parse(text) as T);
  } catch (error) {
    throw new CommandError(`${join(folder, name)}: ${(error as Error).message}`);
  }
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(absent);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
