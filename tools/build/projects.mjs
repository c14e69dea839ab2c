import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The projects of the workspace by name. The field `aos` of a manifest declares what a build adds to the compiled code:
 * `programs` to bundle, each with the memory flags it runs under, and `folders` that hold what another project has built.
 */
export function readProjects(root) {
  const projects = ['apps', 'libs', 'tools']
    .filter((group) => existsSync(join(root, group)))
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map(readProject);
  return new Map(projects.map((project) => [project.name, project]));
}

export function readProject(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, dependencies = {}, scripts = {}, nx = {}, aos = {} } = manifest;
  return {
    name,
    folder,
    dependencies: Object.keys(dependencies),
    tags: nx.tags ?? [],
    isBuilt: scripts.build !== undefined,
    isPage: existsSync(join(folder, 'vite.config.mjs')),
    hasTypes: existsSync(join(folder, 'tsconfig.build.json')),
    programs: aos.programs ?? {},
    folders: aos.folders ?? {},
  };
}

/** The named projects and all that they import, directly or not. Packages of npm are passed over. */
export function withDependencies(projects, names) {
  const found = new Set();
  const visit = (name) => {
    const project = projects.get(name);
    if (!project || found.has(project)) return;
    found.add(project);
    project.dependencies.forEach(visit);
  };
  names.forEach(visit);
  return [...found];
}
