// By hand: rights, which no entity describes. Identifiers come escaped.

/** Programs that provision beside each other do so one after the other. */
export const lockProvision = `SELECT pg_advisory_xact_lock(hashtext('aos provision'))`;

/** $1: the name. No row: there is none. What a role of a service must not have, and what it is a member of. */
export const roleState = `
SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS powerful,
       rolname = current_user AS own,
       array(SELECT granted.rolname::text FROM pg_auth_members AS m JOIN pg_roles AS granted ON granted.oid = m.roleid
              WHERE m.member = pg_roles.oid) AS memberships
  FROM pg_roles WHERE rolname = $1`;

export const databaseName = 'SELECT current_database() AS name';

export const ownedSchemas = `
SELECT nspname AS name FROM pg_namespace WHERE pg_has_role(nspowner, 'USAGE') AND nspname !~ '^pg_' AND nspname <> 'information_schema'`;

export const createRole = (role: string) => `CREATE ROLE ${role}`;

export const alterRole = (role: string, verifier: string) =>
  `ALTER ROLE ${role} LOGIN NOINHERIT PASSWORD ${verifier}`;

export const leaveRole = (role: string, granted: string) => `REVOKE ${granted} FROM ${role}`;

/** Whoever has an account at the server could otherwise connect, and make temporary tables. */
export const closeDatabase = (database: string) => `REVOKE ALL ON DATABASE ${database} FROM PUBLIC`;

export const openDatabaseTo = (database: string, role: string) => `
REVOKE ALL ON DATABASE ${database} FROM ${role};
GRANT CONNECT ON DATABASE ${database} TO ${role}`;

export const closeSchema = (schema: string) => `REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC`;

export const closeSchemaTo = (schema: string, role: string) => `
REVOKE ALL ON SCHEMA ${schema} FROM ${role};
REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${role};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM ${role};
ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} REVOKE ALL ON TABLES FROM ${role};
ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} REVOKE ALL ON SEQUENCES FROM ${role}`;

/** Rows of tables that are there, and of those that the same owner will make. */
export const openSchemaTo = (schema: string, role: string) => `
GRANT USAGE ON SCHEMA ${schema} TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
GRANT SELECT, USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role};
ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, USAGE ON SEQUENCES TO ${role}`;

/** $1: the schema. */
export const tablesOfSchema = 'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1';

export const closeTableTo = (table: string, role: string) => `REVOKE ALL ON ${table} FROM ${role}`;

export const letReadTable = (table: string, role: string) =>
  `REVOKE INSERT, UPDATE, DELETE ON ${table} FROM ${role}`;
