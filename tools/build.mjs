// Builds. `node ../../tools/build.mjs` in the folder of a project builds that project, as Nx calls it; with `--code` it
// only compiles. `node tools/build.mjs --for=start` at the root builds what a purpose needs (tools/build/plan.mjs), for all
// projects in one process; without a purpose it builds everything.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './bundle/bundle.mjs';
import { compile, importSource } from './build/compile.mjs';
import { planTasks, tasksOf } from './build/plan.mjs';
import { runPackage } from './build/packages.mjs';
import { readProjects } from './build/projects.mjs';
import { forget, memoryFlagsSource, record, Stamps } from './build/stamps.mjs';

const { values } = parseArgs({
  options: { for: { type: 'string' }, code: { type: 'boolean', default: false } },
});
const here = process.cwd();
const isRoot = existsSync(join(here, 'package-lock.json'));
const projects = readProjects(isRoot ? here : dirname(dirname(here)));
const own = [...projects.values()].find(({ folder }) => folder === here);
const tasks = isRoot ? planTasks(projects, values.for ?? 'test') : tasksOf(own);
const stamps = new Stamps(projects, {
  compiled: isRoot ? [] : [...projects.values()].filter((project) => project !== own),
});
const stale = tasks.filter((task) => !stamps.isFresh(task) && (task.kind === 'code' || !values.code));
const ofKind = (kind) => stale.filter((task) => task.kind === kind);
stale.forEach(forget);

await Promise.all(ofKind('code').map((task) => done(task, compile(task.project))));
await Promise.all([
  ...ofKind('page').map((task) => done(task, runPackage('vite', ['build'], task.project.folder))),
  ...ofKind('types').map((task) =>
    done(task, runPackage('@typescript/native', ['-p', 'tsconfig.build.json'], task.project.folder)),
  ),
  bundleAll(ofKind('program')),
]);
for (const task of ofKind('folder')) await done(task, copyFolder(task));

async function done(task, work) {
  // Computed before the work, so that a change during the build is built next time.
  const stamp = stamps.of(task);
  await work;
  record(task, stamp);
}

async function bundleAll(programs) {
  if (programs.length === 0) return;
  const { memoryFlags, sharedMemoryFlags } = await importSource(memoryFlagsSource);
  const flagsOf = { service: memoryFlags, shared: sharedMemoryFlags, free: [] };
  const bundled = programs.map(({ project, entry, memory }) => {
    // Containers have memory limits of their own, so images use one setting for all programs.
    const flags = flagsOf[process.env.BUNDLE_MEMORY || memory];
    if (!flags) throw new Error(`Memory of ${project.name} is one of ${Object.keys(flagsOf).join(', ')}`);
    return { folder: project.folder, entry, flags };
  });
  const all = programs.map((task) => [task, stamps.of(task)]);
  await bundle(bundled);
  for (const [task, stamp] of all) record(task, stamp);
}

function copyFolder({ project, folder, from }) {
  const source = join(projects.get(from).folder, 'dist');
  const target = join(project.folder, 'dist', folder);
  rmSync(target, { recursive: true, force: true });
  cpSync(source, target, { recursive: true, filter: (path) => path !== join(source, '.built') });
}
