import { withDependencies } from './projects.mjs';

/** The programs and projects that each purpose runs. Programs are bundled; Node loads projects file by file. */
const purposes = {
  start: {
    programs: (project, entry) =>
      isOps(project) || (project.tags.includes('type:app') && entry === 'main.js'),
    projects: ['@aos/launcher', '@aos/cli'],
  },
  together: {
    programs: (project) => isOps(project) || project.tags.includes('type:host'),
    projects: ['@aos/launcher', '@aos/cli'],
  },
  ops: { programs: isOps, projects: [] },
  recount: { programs: (_, entry) => entry === 'recount.main.js', projects: [] },
};

/** Every start builds the operator's commands: they are needed when nothing can be built, such as on a full disk. */
function isOps({ name }) {
  return name === '@aos/ops';
}

/**
 * The tasks of a purpose: `code` compiles a project, `page` builds the console, `types` writes declarations, `program`
 * bundles, `folder` copies what another project has built. `test` is everything.
 */
export function planTasks(projects, purpose) {
  const all = [...projects.values()].filter(({ isBuilt }) => isBuilt);
  if (purpose === 'test') return all.flatMap((project) => tasksOf(project));
  const wanted = purposes[purpose];
  if (!wanted)
    throw new Error(`Unknown purpose ${purpose}: ${[...Object.keys(purposes), 'test'].join(', ')}`);
  const programs = all
    .flatMap((project) => tasksOf(project))
    .filter((task) => task.kind === 'program' && wanted.programs(task.project, task.entry));
  const used = withDependencies(projects, [
    ...wanted.projects,
    ...programs.map(({ project }) => project.name),
  ]);
  const pages = withDependencies(
    projects,
    used.flatMap(({ folders }) => Object.values(folders)),
  );
  const others = [...new Set([...used, ...pages])].flatMap((project) => tasksOf(project));
  return [...others.filter(({ kind }) => ['code', 'page', 'folder'].includes(kind)), ...programs];
}

/** Every task of one project. */
export function tasksOf(project) {
  const { programs, folders, isPage, hasTypes } = project;
  return [
    { kind: isPage ? 'page' : 'code', project },
    ...(hasTypes ? [{ kind: 'types', project }] : []),
    ...Object.entries(programs).map(([entry, memory]) => ({ kind: 'program', project, entry, memory })),
    ...Object.entries(folders).map(([folder, from]) => ({ kind: 'folder', project, folder, from })),
  ];
}
