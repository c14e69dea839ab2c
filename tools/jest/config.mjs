import { fileURLToPath } from 'node:url';
import { dirname } from 'node:path';

const here = dirname(fileURLToPath(import.meta.url));
const workspaceRoot = dirname(dirname(here));

/** What differs between the kinds of tests; everything else is the same everywhere. */
const kinds = {
  // Short, so that to start further workers, each of which loads what the tests need, would take longer than they do.
  unit: { testMatch: ['<rootDir>/src/**/*.spec.{ts,tsx}'], testTimeout: 30_000, maxWorkers: 1 },
  integration: { testMatch: ['<rootDir>/test/**/*.int-spec.ts'], testTimeout: 60_000, setUp: 'libs/testing' },
  e2e: { testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'], testTimeout: 180_000, setUp: 'apps/e2e' },
};

/** The Jest configuration of a project: ESM through swc, workspace packages read from their sources. */
export function jestConfig(projectRoot, kind, packages) {
  const { setUp, ...rest } = kinds[kind];
  return {
    rootDir: projectRoot,
    displayName: kind,
    runtime: `${here}/kept-runtime.mjs`,
    testEnvironment: `${here}/kept-environment.mjs`,
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform: {
      '^.+\\.ts$': ['@swc/jest', { swcrc: false, ...swcOptions }],
      '^.+\\.tsx$': ['@swc/jest', { swcrc: false, ...pageOptions }],
    },
    transformIgnorePatterns: ['/node_modules/', '/dist/'],
    moduleNameMapper: {
      '^(\\.{1,2}/.*)\\.js$': '$1',
      ...packages,
      '^@aos/gateway$': `${workspaceRoot}/apps/gateway/src/index.ts`,
      '^@aos/(launcher|bench)$': `${workspaceRoot}/tools/$1/src/index.ts`,
      '^@aos/([^/]+)$': `${workspaceRoot}/libs/$1/src/index.ts`,
      '^@aos/([^/]+)/([^/]+)$': `${workspaceRoot}/libs/$1/src/$2.ts`,
    },
    maxWorkers: 3,
    testSequencer: `${here}/slow-first.mjs`,
    workerIdleMemoryLimit: '1GB',
    ...(setUp
      ? {
          globalSetup: `${workspaceRoot}/${setUp}/dist/jest/global-setup.js`,
          globalTeardown: `${workspaceRoot}/${setUp}/dist/jest/global-teardown.js`,
        }
      : {}),
    ...rest,
  };
}

const swcOptions = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** The console's: React, and no decorators. */
const pageOptions = {
  ...swcOptions,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
};
