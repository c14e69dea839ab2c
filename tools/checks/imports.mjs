// Refuses imports that go in a circle, between files and between the wings of a project: `node tools/checks/imports.mjs [root]`.
// Imports between projects are checked by @nx/enforce-module-boundaries (eslint.config.mjs).
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import { crowdedFolders, wingProblems } from './wings.mjs';

const root = resolve(process.argv[2] ?? dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const ours = '^(apps|libs|tools)/';

const ruleSet = {
  forbidden: [
    {
      // Types count: two files that need each other's types are one thing cut in the wrong place.
      name: 'import cycle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'import of a spec',
      severity: 'error',
      from: { path: `${ours}[^/]+/src/`, pathNot: '\\.spec\\.tsx?$' },
      to: { path: '\\.spec\\.tsx?$' },
    },
  ],
};

process.chdir(root);
const { output } = await cruise(['apps', 'libs', 'tools'], {
  ruleSet,
  validate: true,
  tsPreCompilationDeps: true,
  includeOnly: { path: ours },
  exclude: { path: '(^|/)(node_modules|dist|test-output|coverage)/' },
  // Projects are read from their sources, as TypeScript does.
  enhancedResolveOptions: {
    conditionNames: ['types'],
    exportsFields: ['exports'],
    extensions: ['.ts', '.tsx', '.js', '.mjs'],
  },
});

const problems = [
  ...cyclesOnce(output.summary.violations),
  ...wingProblems(output.modules),
  ...crowdedFolders(output.modules),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log('No imports in a circle.');

/** Merges the reports of one cycle: dependency-cruiser reports it once for each file in it. */
function cyclesOnce(violations) {
  const reported = new Set();
  return violations.flatMap(({ from, to, rule, cycle }) => {
    if (!cycle) return [`${rule.name}:\n  ${from}\n  → ${to}`];
    const files = cycle.map(({ name }) => name);
    const key = [...files].sort().join();
    if (reported.has(key)) return [];
    reported.add(key);
    return [`Import cycle:\n  ${[from, ...files].join('\n  → ')}`];
  });
}
