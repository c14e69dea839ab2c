import { planTasks, tasksOf, type Project, type Task } from '../../build/plan.mjs';

function project(name: string, more: Partial<Project> = {}): Project {
  return {
    name,
    folder: `/aos/${name}`,
    dependencies: [],
    tags: [],
    isBuilt: true,
    isPage: false,
    hasTypes: false,
    programs: {},
    folders: {},
    ...more,
  };
}

const projects = new Map(
  [
    project('contracts'),
    project('client', { hasTypes: true }),
    project('@aos/launcher', { dependencies: ['contracts'] }),
    project('@aos/cli', { tags: ['type:app'], dependencies: ['client', 'commander'] }),
    project('console', { isPage: true, dependencies: ['client'] }),
    project('gateway', {
      tags: ['type:app'],
      dependencies: ['contracts'],
      programs: { 'main.js': 'service' },
      folders: { page: 'console' },
    }),
    project('billing', {
      tags: ['type:app'],
      dependencies: ['contracts'],
      programs: { 'main.js': 'service', 'recount.main.js': 'free' },
    }),
    project('together', {
      tags: ['type:host'],
      dependencies: ['gateway', 'billing'],
      programs: { 'main.js': 'shared' },
    }),
    project('@aos/ops', { dependencies: ['contracts'], programs: { 'ops.main.js': 'free' } }),
    project('e2e', { dependencies: ['gateway'], programs: { 'fixture.main.js': 'service' } }),
    project('checked', { isBuilt: false }),
  ].map((one) => [one.name, one]),
);

function describeTask({ kind, project: { name }, entry, folder }: Task): string {
  return [kind, name, entry ?? folder].filter(Boolean).join(' ');
}

const planned = (purpose: string) => planTasks(projects, purpose).map(describeTask).sort();

describe('what is built', () => {
  it('for a start: the services, the console, the launcher and both command lines', () => {
    expect(planned('start')).toEqual([
      ...['@aos/cli', '@aos/launcher', '@aos/ops', 'billing', 'client', 'contracts', 'gateway'].map(
        (name) => `code ${name}`,
      ),
      'folder gateway page',
      'page console',
      'program @aos/ops ops.main.js',
      'program billing main.js',
      'program gateway main.js',
    ]);
  });

  it('for a start in one process: one program of all services', () => {
    expect(planned('together')).toEqual([
      ...[
        '@aos/cli',
        '@aos/launcher',
        '@aos/ops',
        'billing',
        'client',
        'contracts',
        'gateway',
        'together',
      ].map((name) => `code ${name}`),
      'folder gateway page',
      'page console',
      'program @aos/ops ops.main.js',
      'program together main.js',
    ]);
  });

  it('for a command: its program alone', () => {
    expect(planned('ops')).toEqual(['code @aos/ops', 'code contracts', 'program @aos/ops ops.main.js']);
    expect(planned('recount')).toEqual(['code billing', 'code contracts', 'program billing recount.main.js']);
  });

  it('for tests: everything of each project that is built', () => {
    const built = [...projects.values()].filter(({ isBuilt }) => isBuilt);
    expect(planned('test')).toEqual(built.flatMap(tasksOf).map(describeTask).sort());
    expect(planned('test')).toEqual(expect.arrayContaining(['types client', 'program e2e fixture.main.js']));
  });

  it('for nothing else', () => {
    expect(() => planned('paint')).toThrow('Unknown purpose paint');
  });
});
