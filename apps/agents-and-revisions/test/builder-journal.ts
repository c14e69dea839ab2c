import { eventually, type TestDatabase } from '@aos/testing';
import pg from 'pg';

const schema = 'agents_and_revisions';
const holdLock = 7_001;

/** Writes down every status and phase that a builder run passes, and every write that was refused. */
export async function keepJournal(database: TestDatabase): Promise<void> {
  await database.query(`
    CREATE TABLE journal (seq bigint GENERATED ALWAYS AS IDENTITY, run_id uuid, state text);
    CREATE TABLE refused_write (seq bigint GENERATED ALWAYS AS IDENTITY, query text);

    CREATE FUNCTION note_state() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO public.journal (run_id, state) VALUES (NEW.id, NEW.status || ' ' || NEW.phase);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_state AFTER UPDATE ON ${schema}.builder_run FOR EACH ROW
      WHEN (OLD.status <> NEW.status OR OLD.phase <> NEW.phase) EXECUTE FUNCTION note_state();

    CREATE FUNCTION note_refusal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM changed) THEN
        INSERT INTO public.refused_write (query) VALUES (current_query());
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_refusal AFTER UPDATE ON ${schema}.builder_run REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_refusal();

    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(${holdLock});
      RETURN NEW;
    END $$;
  `);
}

/** The statuses and phases that the run came to, in order. */
export async function statesOf(database: TestDatabase, builderRunId: string): Promise<string[]> {
  const rows = await database.query<{ state: string }>(
    'SELECT state FROM journal WHERE run_id = $1 ORDER BY seq',
    [builderRunId],
  );
  return rows.map(({ state }) => state);
}

/** Writes under a lease that was no longer held. */
export async function refusedWrites(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ query: string }>(
    `SELECT query FROM refused_write WHERE query LIKE '%AND lease_token = $3%' ORDER BY seq`,
  );
  return rows.map(({ query }) => query);
}

/** A write that Postgres has begun and does not finish. */
export interface HeldWrite {
  /** Resolves when a worker has sent it. */
  reached(): Promise<void>;
  /** Its connection breaks before it is done. */
  lose(): Promise<void>;
  /** It is done, whether or not its worker still lives. Saying it again changes nothing. */
  land(): Promise<void>;
}

/** Holds the write that brings a builder run into the phase. */
export async function holdWrite(database: TestDatabase, phase: string): Promise<HeldWrite> {
  const session = new pg.Client({ connectionString: database.url });
  session.on('error', () => undefined);
  await session.connect();
  await session.query('SELECT pg_advisory_lock($1)', [holdLock]);
  await session.query(`DROP TRIGGER IF EXISTS hold ON ${schema}.builder_run`);
  await session.query(
    `CREATE TRIGGER hold BEFORE UPDATE ON ${schema}.builder_run FOR EACH ROW
       WHEN (OLD.phase <> NEW.phase AND NEW.phase = '${phase}') EXECUTE FUNCTION hold()`,
  );
  const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  // Ends the session, and its lock with it.
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= session.end());
  return {
    reached: async () => {
      await eventually(async () => expect(await database.query(waiting, [holdLock])).toHaveLength(1));
    },
    lose: async () => {
      const terminate = `SELECT pid, pg_terminate_backend(pid) FROM (${waiting}) AS held`;
      const lost = await session.query<{ pid: number }>(terminate, [holdLock]);
      const pids = lost.rows.map(({ pid }) => pid);
      // The next worker may wait for the lock already, so only the terminated sessions count.
      const alive = 'SELECT pid FROM pg_stat_activity WHERE pid = ANY ($1)';
      await eventually(async () => expect(await database.query(alive, [pids])).toHaveLength(0));
      await end();
    },
    land: end,
  };
}
