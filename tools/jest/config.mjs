import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(dirname(here));

/** The kinds of tests by their files. Suites in `test/deep` run only with `--full`. */
export const kinds = {
  unit: { files: ['src/**/*.spec.{ts,tsx}', 'test/deep/**/*.spec.ts'], timeoutMs: 30_000 },
  integration: { files: ['test/**/*.int-spec.ts'], timeoutMs: 60_000, setUp: 'libs/testing' },
  e2e: { files: ['test/**/*.e2e-spec.ts'], timeoutMs: 180_000, setUp: 'apps/e2e' },
};

export function kindOf(file) {
  if (file.endsWith('.e2e-spec.ts')) return 'e2e';
  return file.endsWith('.int-spec.ts') ? 'integration' : 'unit';
}

/** The configuration for the files of one project (`folder`) or of all. Packages of the workspace are read from sources. */
export function jestConfig({ kinds: names, full, folder, resultFile }) {
  const wanted = names.map((name) => kinds[name]);
  const setUp = wanted.findLast((kind) => kind.setUp)?.setUp;
  const projects = folder ?? '<rootDir>/{apps,libs,tools}/*';
  return {
    rootDir: root,
    roots: folder ? [folder] : ['apps', 'libs', 'tools'].map((group) => join(root, group)),
    runtime: `${here}/kept-runtime.mjs`,
    testEnvironment: `${here}/kept-environment.mjs`,
    testSequencer: `${here}/longest-first.mjs`,
    reporters: [[`${here}/reporter.mjs`, { resultFile }]],
    testMatch: wanted.flatMap(({ files }) => files.map((pattern) => `${projects}/${pattern}`)),
    testPathIgnorePatterns: ['/node_modules/', '/dist/', ...(full ? [] : ['/test/deep/'])],
    testTimeout: Math.max(...wanted.map(({ timeoutMs }) => timeoutMs)),
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform: {
      '^.+\\.ts$': ['@swc/jest', swcOptions(false)],
      '^.+\\.tsx$': ['@swc/jest', swcOptions(true)],
    },
    transformIgnorePatterns: ['/node_modules/', '/dist/'],
    moduleNameMapper: {
      '^(\\.{1,2}/.*)\\.js$': '$1',
      '^@aos/gateway$': `${root}/apps/gateway/src/index.ts`,
      '^@aos/(launcher|bench)$': `${root}/tools/$1/src/index.ts`,
      '^@aos/([^/]+)$': `${root}/libs/$1/src/index.ts`,
      '^@aos/([^/]+)/([^/]+)$': `${root}/libs/$1/src/$2.ts`,
    },
    maxWorkers: Number(process.env.TEST_WORKERS) || 2 * availableParallelism(),
    workerIdleMemoryLimit: '1500MB',
    globalSetup: setUp && `${root}/${setUp}/dist/jest/global-setup.js`,
    globalTeardown: setUp && `${root}/${setUp}/dist/jest/global-teardown.js`,
  };
}

/** Only the console has TSX, and it has no decorators. */
function swcOptions(tsx) {
  const transform = tsx
    ? { react: { runtime: 'automatic' } }
    : { legacyDecorator: true, decoratorMetadata: true };
  const parser = { syntax: 'typescript', tsx, decorators: !tsx };
  const jsc = { target: 'es2022', parser, transform, keepClassNames: true };
  return { swcrc: false, jsc, module: { type: 'es6' }, sourceMaps: 'inline' };
}
