import { RedisConnections, RpcClient, ServiceClient } from '@aos/messaging';
import { KeyRing } from '@aos/secrets';
import pg from 'pg';
import type { Surroundings } from './environment.js';
import { Problem } from './problem.js';

/** The stores of services and the way to their replicas, opened as they are needed. */
export class Product {
  private readonly databases = new Map<string, pg.Client>();
  private connections: RedisConnections | undefined;
  private rpc: RpcClient | undefined;

  constructor(readonly surroundings: Surroundings) {}

  /** Rows of a service's schema. */
  async query<Row extends object>(service: string, sql: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await (await this.database(service)).query<Row & pg.QueryResultRow>(sql, values);
    return rows;
  }

  /** Requests to the services, over Redis as they make them to each other. */
  client(): ServiceClient {
    const { redisUrl, redisPrefix, secretsKeys } = this.surroundings;
    if (!redisUrl || !secretsKeys) {
      throw new Problem('REDIS_URL or SECRETS_KEYS is not set, and no product was started here.', 78);
    }
    this.connections ??= new RedisConnections({ url: redisUrl, prefix: redisPrefix });
    this.rpc ??= new RpcClient({ connections: this.connections, keyRing: KeyRing.parse(secretsKeys) });
    return new ServiceClient(this.rpc);
  }

  async close(): Promise<void> {
    this.rpc?.close();
    this.connections?.close();
    await Promise.all([...this.databases.values()].map((client) => client.end()));
  }

  private async database(service: string): Promise<pg.Client> {
    const known = this.databases.get(service);
    if (known) return known;
    const client = new pg.Client({
      connectionString: this.surroundings.databaseOf(service),
      application_name: 'ops',
      options: `-c search_path=${service.replaceAll('-', '_')} -c statement_timeout=30000`,
    });
    await client.connect();
    this.databases.set(service, client);
    return client;
  }
}
