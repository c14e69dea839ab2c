import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import prettier from 'eslint-config-prettier';

/** Who may import whom. Everything not listed is refused; libs/testing/test/boundaries.int-spec.ts plants violations. */
export const depConstraints = [
  { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: ['type:contracts'] },
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:contracts', 'type:lib'] },
  { sourceTag: 'type:infra', onlyDependOnLibsWithTags: ['type:infra'] },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:contracts', 'type:lib', 'type:testing'] },
  {
    sourceTag: 'type:testing',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:lib', 'type:infra', 'type:testing'],
  },
  {
    sourceTag: 'type:e2e',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:lib', 'type:infra', 'type:testing', 'type:app'],
  },
  {
    sourceTag: 'type:tool',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:lib', 'type:infra', 'type:testing'],
  },
  // Contracts are schemas and nothing else.
  { sourceTag: 'scope:contracts', allowedExternalImports: ['zod'] },
];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const projects = ['apps', 'libs', 'tools'].flatMap((group) =>
  readdirSync(join(root, group), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${group}/${entry.name}`),
);

/** ESLint runs at the root for all projects, or in the folder of one; patterns are relative to where it runs. */
function within(isMeant, ...patterns) {
  const here = relative(root, process.cwd()).replaceAll('\\', '/');
  return projects
    .filter((project) => (here === '' || here === project) && isMeant(project))
    .flatMap((project) => patterns.map((pattern) => (here === '' ? `${project}/${pattern}` : pattern)));
}

const readsEnvironment = (project) =>
  project.startsWith('tools/') || ['libs/testing', 'apps/e2e'].includes(project);
const isShipped = (project) => project.startsWith('apps/') && project !== 'apps/e2e';
/** A rule for no file at all would be one for every file. */
const orNone = (files) => (files.length > 0 ? files : ['no-such-folder/**']);

export default tseslint.config(
  { ignores: ['**/dist/**', '**/test-output/**', '**/.data/**', '.nx/**', '**/node_modules/**'] },
  ...tseslint.configs.recommended,
  {
    plugins: { '@nx': nx },
    files: ['**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { allow: [], depConstraints, enforceBuildableLibDependency: false },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'off',
      'max-lines': ['error', { max: 400 }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: "Identifier[name='forwardRef']", message: 'Break the cycle instead.' },
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Read the environment in the config of an app only.',
        },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: orNone([
      ...within(readsEnvironment, '**/*.ts'),
      ...within(
        (project) => !readsEnvironment(project),
        'src/**/*config.ts',
        'src/main.ts',
        'src/*.main.ts',
        'test/**',
      ),
    ]),
    rules: { 'no-restricted-syntax': 'off', 'no-console': 'off' },
  },
  // What the shipped code of an app may not lean on.
  {
    files: orNone(within(isShipped, 'src/**/*.ts')),
    ignores: ['**/*.spec.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: ['@aos/testing', '@aos/local-infra'] }] },
  },
  { files: ['**/*.mjs'], languageOptions: { globals: { process: 'readonly', console: 'readonly' } } },
  prettier,
);
