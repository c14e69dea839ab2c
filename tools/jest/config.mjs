import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(dirname(here));

/** The kinds of spec files, by their names. The kind `all` also has those whose names fit no other kind. */
const kinds = {
  unit: { files: '\\.spec\\.tsx?$', timeoutMs: 30_000 },
  integration: { files: '\\.int-spec\\.ts$', timeoutMs: 60_000, setUp: 'libs/testing' },
  e2e: { files: '\\.e2e-spec\\.ts$', timeoutMs: 180_000, setUp: 'apps/e2e' },
  all: { files: '[.-]spec\\.tsx?$', timeoutMs: 180_000, setUp: 'apps/e2e' },
};

export function kindOf(file) {
  return Object.keys(kinds).find((kind) => new RegExp(kinds[kind].files).test(file));
}

/** The configuration for the files of one project (`folder`) or of all. Packages of the workspace are read from sources. */
export function jestConfig({ kind, full, folder }) {
  const { files, timeoutMs, setUp } = kinds[kind];
  return {
    rootDir: root,
    roots: folder ? [folder] : ['apps', 'libs', 'tools'].map((group) => join(root, group)),
    runtime: `${here}/kept-runtime.mjs`,
    testEnvironment: `${here}/kept-environment.mjs`,
    testSequencer: `${here}/longest-first.mjs`,
    reporters: [`${here}/reporter.mjs`],
    testRegex: [files],
    testPathIgnorePatterns: ['/node_modules/', '/dist/', ...(full ? [] : ['/test/deep/'])],
    testTimeout: timeoutMs,
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform: {
      '^.+\\.ts$': ['@swc/jest', swcOptions(false)],
      '^.+\\.tsx$': ['@swc/jest', swcOptions(true)],
    },
    transformIgnorePatterns: ['/node_modules/', '/dist/'],
    moduleNameMapper: {
      '^fast-check$': `${here}/fast-check.mjs`,
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
  const react = { react: { runtime: 'automatic' } };
  const transform = tsx ? react : { legacyDecorator: true, decoratorMetadata: true };
  const parser = { syntax: 'typescript', tsx, decorators: !tsx };
  const jsc = { target: 'es2022', parser, transform, keepClassNames: true };
  return { swcrc: false, jsc, module: { type: 'es6' }, sourceMaps: 'inline' };
}
