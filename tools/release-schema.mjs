// `npm run release-schema`: notes the migrations of today as those of the last release. Migrations that come later must be
// such that replicas of that release go on beside them (docs/adr/0024-schemas-expand-then-contract.md). Run at a release.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './setup.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
await ensureBuilt();
const { productServices, fixtureConsumerService, fixtureService } =
  await import('../libs/testing/dist/index.js');
const { modelOf } = await import('../libs/service/dist/index.js');

const services = [...(await productServices()), fixtureService, fixtureConsumerService];
const lists = services.map((service) => {
  const names = modelOf(service).migrations.map(({ name }) => `    '${name}',\n`);
  return `  '${service.name}': [\n${names.join('')}  ],\n`;
});
const text = `/**
 * The migrations of each service in the last release, in their order. Written by \`npm run release-schema\`.
 */
export const releasedMigrations: Readonly<Record<string, readonly string[]>> = {
${lists.join('')}};
`;
writeFileSync(join(root, 'libs', 'testing', 'src', 'schema-changes', 'released-migrations.ts'), text);
console.log(`${services.length} services noted.`);
