import pg from 'pg';
import { wayTo } from '../connections/database-socket.js';
import { createSchema } from '../migrations/migrate.sql.js';
import * as sql from './roles.sql.js';
import { scramVerifier } from './scram.js';

/** A role of Postgres that may use the rows of one schema. */
export interface DatabaseAccount {
  readonly user: string;
  readonly password: string;
  readonly schema: string;
  /** Tables of the schema that the role may not use. */
  readonly withheldTables: readonly string[];
}

const migrationTable = 'migration';

/**
 * Makes the roles, or changes them to what they are to be, in one transaction. Run by the owner of the schemas, after its
 * migrations: what a role has beyond its part is taken from it.
 */
export async function provisionDatabase(url: string, accounts: readonly DatabaseAccount[]): Promise<void> {
  const client = new pg.Client({ ...wayTo(url), application_name: 'provision' } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(sql.lockProvision);
    const database = client.escapeIdentifier(await onlyName(client, sql.databaseName));
    await client.query(sql.closeDatabase(database));
    for (const { schema } of accounts) await client.query(createSchema(client.escapeIdentifier(schema)));
    const { rows: schemas } = await client.query<{ name: string }>(sql.ownedSchemas);
    for (const { name } of schemas) await client.query(sql.closeSchema(client.escapeIdentifier(name)));
    for (const account of accounts) {
      await provisionRole(client, account);
      const role = client.escapeIdentifier(account.user);
      await client.query(sql.openDatabaseTo(database, role));
      for (const { name } of schemas)
        await client.query(sql.closeSchemaTo(client.escapeIdentifier(name), role));
      await client.query(sql.openSchemaTo(client.escapeIdentifier(account.schema), role));
      await narrowTables(client, account);
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

async function provisionRole(client: pg.Client, { user, password }: DatabaseAccount): Promise<void> {
  const role = client.escapeIdentifier(user);
  const { rows } = await client.query<{ powerful: boolean; own: boolean; memberships: string[] }>(
    sql.roleState,
    [user],
  );
  const [state] = rows;
  if (state?.own)
    throw new Error(`The role ${user} is the one that provisions; give services roles of their own`);
  if (state?.powerful) throw new Error(`The role ${user} has rights over the server; name another`);
  if (!state) await client.query(sql.createRole(role));
  for (const granted of state?.memberships ?? []) {
    await client.query(sql.leaveRole(role, client.escapeIdentifier(granted)));
  }
  await client.query(sql.alterRole(role, client.escapeLiteral(scramVerifier(password))));
}

async function narrowTables(
  client: pg.Client,
  { user, schema, withheldTables }: DatabaseAccount,
): Promise<void> {
  const role = client.escapeIdentifier(user);
  const { rows } = await client.query<{ name: string }>(sql.tablesOfSchema, [schema]);
  for (const { name } of rows) {
    const table = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
    // A service could otherwise have its owner leave a migration out.
    if (name === migrationTable) await client.query(sql.letReadTable(table, role));
    if (withheldTables.includes(name)) await client.query(sql.closeTableTo(table, role));
  }
}

async function onlyName(client: pg.Client, query: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(query);
  return rows[0]!.name;
}
