/**
 * The migrations of each service in the last release, in their order. Written by `npm run release-schema`.
 */
export const releasedMigrations: Readonly<Record<string, readonly string[]>> = {
  gateway: ['Baseline1795000000000'],
  'agents-and-revisions': ['Baseline1795000000000'],
  runs: ['Baseline1795000000000'],
  connections: ['Baseline1795000000000'],
  'webhook-dispatcher': ['Baseline1795000000000'],
  billing: ['Baseline1795000000000'],
  fixture: ['Baseline1795000000000'],
  'fixture-consumer': ['Baseline1795000000000'],
};
