// A stamp is the hash of all that a task reads. It is kept in `dist/.built`, so that Nx caches it with the output.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withDependencies } from './projects.mjs';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** The memory flags of programs. V8 rejects cached code that was compiled under other flags. */
export const memoryFlagsSource = join(root, 'libs', 'local-infra', 'src', 'memory-flags.ts');

/**
 * Computes the stamps of tasks. For projects in `compiled` the recorded stamp is used instead of one of their sources: the
 * build of one project does not build its dependencies.
 */
export class Stamps {
  #projects;
  #compiled;
  #code = new Map();
  #tools;

  constructor(projects, { compiled = [] } = {}) {
    this.#projects = projects;
    this.#compiled = new Set(compiled);
  }

  isFresh(task) {
    return recorded(task) === this.of(task) && existsSync(outputOf(task));
  }

  of(task) {
    const { kind, project } = task;
    if (kind === 'code') return this.#codeOf(project);
    if (kind === 'folder') {
      const source = this.#projects.get(task.from);
      return this.#compiled.has(source) ? recorded({ kind: 'page', project: source }) : this.#pageOf(source);
    }
    if (kind === 'page') return this.#pageOf(project);
    if (kind === 'types')
      return hash([kind, this.#codeOf(project), fileHash(join(project.folder, 'tsconfig.build.json'))]);
    const machine = [process.version, process.arch, availableParallelism(), process.env.BUNDLE_MEMORY];
    return hash([kind, ...machine, task.memory, fileHash(memoryFlagsSource), ...this.#imported(project)]);
  }

  #pageOf(project) {
    return hash([fileHash(join(project.folder, 'vite.config.mjs')), ...this.#imported(project)]);
  }

  #imported(project) {
    return withDependencies(this.#projects, [project.name]).map((one) =>
      this.#compiled.has(one) ? recorded({ kind: 'code', project: one }) : this.#codeOf(one),
    );
  }

  #codeOf(project) {
    let stamp = this.#code.get(project);
    if (stamp === undefined) {
      const files = [join(project.folder, 'package.json'), ...sourcesOf(project.folder)];
      const lines = files.map((file) => `${relative(project.folder, file)} ${fileHash(file)}`);
      stamp = hash([(this.#tools ??= toolsHash()), ...lines]);
      this.#code.set(project, stamp);
    }
    return stamp;
  }
}

/** Files that a build reads; specs are not built. */
export function sourcesOf(folder) {
  return filesBelow(join(folder, 'src')).filter((file) => !/\.spec\.tsx?$/.test(file));
}

export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

export function record(task, stamp) {
  mkdirSync(dirname(stampFile(task)), { recursive: true });
  writeFileSync(stampFile(task), stamp);
}

/** Removes the stamp before a task runs, so that an interrupted task runs again. */
export function forget(task) {
  rmSync(stampFile(task), { force: true });
}

/** The program of an entry: `dist/bundle/<name>.js`. */
export function programOf({ project, entry }) {
  return join(project.folder, 'dist', 'bundle', basename(entry));
}

function recorded(task) {
  try {
    return readFileSync(stampFile(task), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function outputOf(task) {
  if (task.kind === 'program') return programOf(task);
  return join(task.project.folder, 'dist', task.folder ?? '');
}

function stampFile({ kind, project, entry, folder }) {
  return join(
    project.folder,
    'dist',
    '.built',
    [kind, entry ?? folder].filter(Boolean).join('-').replaceAll('/', '-'),
  );
}

function toolsHash() {
  const names = ['package-lock.json', '.swcrc', 'tsconfig.base.json'];
  const tools = ['build', 'bundle'].flatMap((name) => filesBelow(join(root, 'tools', name)));
  return hash([...names.map((name) => join(root, name)), ...tools].map(fileHash));
}

function fileHash(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function hash(parts) {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}
