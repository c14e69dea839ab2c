import { fileURLToPath } from 'node:url';

/** Sources lie in `src`, what processes run lies in `dist`; tests run from the former and start the latter. */
const distribution = new URL('../../dist/', import.meta.url);

export const fixtureEntries = {
  fixture: fileURLToPath(new URL('bundle/fixture.main.js', distribution)),
  'fixture-consumer': fileURLToPath(new URL('bundle/fixture-consumer.main.js', distribution)),
} as const;

/** What one of the product's services exports, as it was built. */
export function appModule(service: string): string {
  return fileURLToPath(new URL(`../../../apps/${service}/dist/index.js`, distribution));
}

/** The built entry of one of the product's services. */
export function appEntry(service: string): string {
  return fileURLToPath(new URL(`../../../apps/${service}/dist/bundle/main.js`, distribution));
}
