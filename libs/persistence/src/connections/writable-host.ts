import pg from 'pg';
import type { DatabaseAddress, DatabaseHost } from './database-url.js';
import { isStoreUnavailable } from '../pg-errors.js';
import { takesNoWrites } from './connections.sql.js';

/** So that three hosts can be asked within the time that a connection may take. */
const askTimeoutMs = 1_500;

/**
 * Finds which of several hosts takes writes, in their order, and remembers it until a connection there ends: the server
 * may have been stopped for another to take its place.
 */
export class WritableHost {
  private known: DatabaseHost | undefined;
  private finding: Promise<DatabaseHost> | undefined;

  constructor(private readonly address: DatabaseAddress) {}

  async find(): Promise<DatabaseHost> {
    if (this.known) return this.known;
    this.finding ??= this.ask().finally(() => (this.finding = undefined));
    return this.finding;
  }

  forget(host: DatabaseHost): void {
    if (this.known === host) this.known = undefined;
  }

  private async ask(): Promise<DatabaseHost> {
    const reasons: string[] = [];
    const refusals: unknown[] = [];
    for (const host of this.address.hosts) {
      try {
        if (await this.isGood(host)) return (this.known = host);
        reasons.push(`${host.host}:${host.port} only reads`);
      } catch (error) {
        reasons.push(`${host.host}:${host.port}: ${(error as Error).message}`);
        if (!isStoreUnavailable(error)) refusals.push(error);
      }
    }
    // What all of them refuse, such as a password, is no host that is away.
    if (refusals.length === this.address.hosts.length) throw refusals[0];
    const problem = new Error(`None of the hosts of the database takes writes (${reasons.join('; ')})`);
    // For those who ask whether Postgres is away.
    throw Object.assign(problem, { code: 'ECONNREFUSED' });
  }

  private async isGood(host: DatabaseHost): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.address.urlOf(host),
      connectionTimeoutMillis: askTimeoutMs,
      query_timeout: askTimeoutMs,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      if (this.address.needs === 'any') return true;
      const { rows } = await client.query<{ readonly: boolean }>(takesNoWrites);
      return !rows[0]!.readonly;
    } finally {
      client.end().catch(() => undefined);
    }
  }
}
