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

// ESLint runs in the folder of one project, and patterns are relative to it.
const project = process.cwd().split('/').slice(-2).join('/');
const readsEnvironment = project.startsWith('tools/') || ['libs/testing', 'apps/e2e'].includes(project);
const shipped = project.startsWith('apps/') && project !== 'apps/e2e';

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
    files: readsEnvironment ? ['**/*.ts'] : ['src/**/*config.ts', 'src/main.ts', 'test/**'],
    rules: { 'no-restricted-syntax': 'off', 'no-console': 'off' },
  },
  // What the shipped code of an app may not lean on.
  {
    files: [shipped ? 'src/**/*.ts' : 'no-such-folder/**'],
    ignores: ['**/*.spec.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: ['@aos/testing', '@aos/local-infra'] }] },
  },
  { files: ['**/*.mjs'], languageOptions: { globals: { process: 'readonly', console: 'readonly' } } },
  prettier,
);
