import { RedisConnections, RpcClient, ServiceClient } from '@aos/messaging';
import { answerTimeoutMs, transactionModeClient, wayTo } from '@aos/persistence';
import { KeyRing } from '@aos/secrets';
import type pg from 'pg';
import type { Surroundings } from './environment.js';

const statementTimeoutMs = 30_000;

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
    this.rpc ??= this.openRpc();
    return new ServiceClient(this.rpc);
  }

  async close(): Promise<void> {
    this.rpc?.close();
    this.connections?.close();
    await Promise.all([...this.databases.values()].map((client) => client.end()));
  }

  private openRpc(): RpcClient {
    const { redis, secretsKeys } = this.surroundings.messaging();
    this.connections = new RedisConnections(redis);
    return new RpcClient({ connections: this.connections, keyRing: KeyRing.parse(secretsKeys) });
  }

  private async database(service: string): Promise<pg.Client> {
    const known = this.databases.get(service);
    if (known) return known;
    const { url, schema } = this.surroundings.databaseOf(service);
    // An operator may know no way but that of a pooler, which takes no settings at connect and may give each transaction
    // another session: so each statement says for itself where its tables are.
    const Client = transactionModeClient({ search_path: schema, statement_timeout: statementTimeoutMs });
    const client = new Client({
      ...wayTo(url),
      application_name: 'ops',
      answerTimeoutMs: answerTimeoutMs(statementTimeoutMs),
    });
    // The statement under way fails with it; without a listener the process would end.
    client.on('error', () => undefined);
    await client.connect();
    this.databases.set(service, client);
    return client;
  }
}
