import { createDataSource } from '@aos/persistence';
import { databaseOf, modelOf, type ServiceConfig, type ServiceDefinition } from '@aos/service';
import { testConfig } from './test-config.js';

/**
 * The statements that would make the tables of a migrated service equal to its entities; none when they are.
 * Tables without an entity are not looked at.
 */
export async function schemaDrift<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  databaseUrl: string,
): Promise<string[]> {
  const settings = databaseOf(definition.name, testConfig({ DATABASE_URL: databaseUrl }));
  const dataSource = await createDataSource({ ...settings, poolSize: 1 }, modelOf(definition)).initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  } finally {
    await dataSource.destroy();
  }
}
