import { createHash } from 'node:crypto';
import { pgNotice, PreparedQuery, streamOf, type PreparedStatement } from '@aos/vendor-internals';
import { connectionShares } from '../connections/connection-shares.js';
import { WritableClient } from '../connections/writable-client.js';
import { answerTimeoutMs, connectionOptions, withoutPooler, type DatabaseSettings } from '../data-source.js';
import { isOutdatedPlan, isStoreUnavailable, isUnprepared } from '../pg-errors.js';
import { retryOnConflict } from '../transactions/transactions.js';
import { ping } from '../transactions/transactions.sql.js';

/** A slow statement holds up those behind it on its connection. */
const statementTimeoutMs = 5_000;
/** Longer than any answer may take. */
const idleTimeoutMs = 10_000;
/** A connection that was used so lately is worth a probe. */
const inUseMs = 5_000;

/**
 * A statement is planned once for each connection: planning one that writes to eight tables takes longer than running
 * it. The plan must not depend on how few rows there were that day, so it goes by indexes and loops.
 */
const planning = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

export type StatementParameter = string | number | boolean | null | readonly string[];

/**
 * A statement with what it is given: only what pg can always put into a message. Were it to throw in the middle of a
 * transaction that is sent at once, the COMMIT behind it would be sent all the same.
 */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly StatementParameter[];
}

/**
 * Short statements that stand alone: point reads on hot paths, writes that are one statement, and transactions whose
 * statements are known before the first is made. They are prepared once and pipelined over a few connections. Lists,
 * reports and transactions that go by what they read belong to `Transactions`.
 */
export class PreparedStatements {
  /** Apart: a write waits for the disk, and a read behind it would too. */
  private readonly reads: ConnectionRing;
  private readonly writes: ConnectionRing;

  /** Without private fields of pg it does the same, at a higher cost. */
  constructor(settings: DatabaseSettings, usesPrivateFields = pgNotice === undefined) {
    const { reads, writes } = connectionShares(settings.poolSize);
    const makeClient = clientsOf(withoutPooler(settings));
    const connect = () => new PipelinedConnection(makeClient, usesPrivateFields);
    this.reads = new ConnectionRing(connect, reads);
    this.writes = new ConnectionRing(connect, writes);
  }

  /** A read; tried again once if the connection is lost under it. */
  async read<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    try {
      return await this.reads.next().query<Row>(sql, parameters);
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      return this.reads.next().query<Row>(sql, parameters);
    }
  }

  /** A write that is one statement, made again after a deadlock. If the connection is lost, it is unknown whether it happened. */
  async write<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return retryOnConflict(() => this.writes.next().query<Row>(sql, parameters));
  }

  /**
   * Several writes, all of them or none, in one round trip; gives the rows of each. Made again after a deadlock. If the
   * connection is lost, it is unknown whether they happened.
   */
  async writeTogether<Row>(statements: readonly Statement[]): Promise<Row[][]> {
    return retryOnConflict(async () => {
      try {
        return await this.writes.next().transaction<Row>(statements);
      } catch (error) {
        // Behind one that failed before its statements were prepared; it was undone.
        if (!isUnprepared(error)) throw error;
        return this.writes.next().transaction<Row>(statements);
      }
    });
  }

  /** Rejects when none of the connections that are in use for reads answers, or none of those for writes. */
  async ping(): Promise<void> {
    await Promise.all([this.reads.ping(), this.writes.ping()]);
  }

  /** Rejects when Postgres does not answer, also where no connection is in use. */
  async reach(): Promise<void> {
    if (this.reads.isInUse || this.writes.isInUse) await this.ping();
    else await this.reads.next().ping();
  }

  async close(): Promise<void> {
    await Promise.all([this.reads.close(), this.writes.close()]);
  }
}

/** Connections that take turns. */
class ConnectionRing {
  private readonly connections: PipelinedConnection[];
  private turn = 0;

  constructor(connect: () => PipelinedConnection, count: number) {
    this.connections = Array.from({ length: count }, connect);
  }

  next(): PipelinedConnection {
    this.turn = (this.turn + 1) % this.connections.length;
    return this.connections[this.turn]!;
  }

  get isInUse(): boolean {
    return this.connections.some((connection) => connection.isInUse);
  }

  async ping(): Promise<void> {
    // One that is not used is not opened for this, or kept open.
    const asked = this.connections.filter(({ isInUse }) => isInUse);
    if (asked.length > 0) await Promise.any(asked.map((connection) => connection.ping()));
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}

/** One pipelined connection, opened at first use and again after it was lost. */
class PipelinedConnection {
  /** Of the connection that is open. */
  private readonly statements = new Map<string, PreparedStatement>();
  private client: WritableClient | undefined;
  private connecting: Promise<WritableClient> | undefined;
  private gathering = false;
  private usedAt = -Infinity;

  constructor(
    private readonly makeClient: () => WritableClient,
    private readonly usesPrivateFields: boolean,
  ) {}

  get isInUse(): boolean {
    return performance.now() - this.usedAt < inUseMs;
  }

  async ping(): Promise<void> {
    await this.queryOn(this.client ?? (await this.connect()), ping, []);
  }

  async query<Row>(text: string, values: unknown[]): Promise<Row[]> {
    this.usedAt = performance.now();
    const client = this.client ?? (await this.connect());
    try {
      return await this.queryOn<Row>(client, text, values);
    } catch (error) {
      if (!isOutdatedPlan(error)) throw withStackOfHere(error);
      return this.queryOn<Row>(await this.renew(client), text, values);
    }
  }

  async transaction<Row>(statements: readonly Statement[]): Promise<Row[][]> {
    this.usedAt = performance.now();
    const client = this.client ?? (await this.connect());
    try {
      return await this.transactionOn<Row>(client, statements);
    } catch (error) {
      // Its transaction was undone.
      if (!isOutdatedPlan(error)) throw withStackOfHere(error);
      return this.transactionOn<Row>(await this.renew(client), statements);
    }
  }

  /** A connection on which nothing is prepared yet. What is under way on the former one ends there. */
  private async renew(former: WritableClient): Promise<WritableClient> {
    if (this.client === former) {
      this.client = undefined;
      former.end().catch(() => undefined);
    }
    return this.client ?? (await this.connect());
  }

  private async queryOn<Row>(client: WritableClient, text: string, values: unknown[]): Promise<Row[]> {
    this.gather(client);
    const { rows } = await this.send<Row>(client, text, values);
    return rows;
  }

  /** Everything is sent before the first answer: nothing of others comes between on this connection. */
  private async transactionOn<Row>(
    client: WritableClient,
    statements: readonly Statement[],
  ): Promise<Row[][]> {
    this.gather(client);
    const begun = client.query('BEGIN');
    const made = statements.map(({ sql, parameters }) => this.send<Row>(client, sql, parameters));
    const committed = client.query('COMMIT');
    const outcomes = await Promise.allSettled([begun, ...made, committed]);
    // The first that failed says why; those behind it only that the transaction was given up, and COMMIT says nothing.
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    return (await Promise.all(made)).map(({ rows }) => rows);
  }

  private send<Row>(
    client: WritableClient,
    text: string,
    values: readonly unknown[],
  ): Promise<{ rows: Row[] }> {
    const statement = this.statementOf(text);
    if (!this.usesPrivateFields)
      return client.query({ name: statement.name, text: statement.text, values: [...values] });
    return new Promise((resolve, reject) => {
      const query = new PreparedQuery<Row>(statement, values, (error, result) => {
        if (error) {
          client.leaveReadOnly(error);
          return reject(error);
        }
        query.empty();
        resolve(result);
      });
      client.query(query);
    });
  }

  async close(): Promise<void> {
    await this.client?.end();
  }

  /** The statements of one turn of the event loop leave in one write: a system call costs more than a statement. */
  private gather(client: WritableClient): void {
    if (this.gathering || !this.usesPrivateFields) return;
    this.gathering = true;
    const stream = streamOf(client);
    stream.cork();
    setImmediate(() => {
      this.gathering = false;
      stream.uncork();
    });
  }

  private connect(): Promise<WritableClient> {
    this.connecting ??= this.open().finally(() => (this.connecting = undefined));
    return this.connecting;
  }

  private async open(): Promise<WritableClient> {
    const client = this.makeClient();
    const forget = () => {
      if (this.client === client) this.client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    await client.connect();
    // A server has few sessions. One that is idle is closed, and opened again at its next use.
    client.closeWhenIdle(idleTimeoutMs, forget);
    this.statements.clear();
    this.client = client;
    return client;
  }

  private statementOf(text: string): PreparedStatement {
    let statement = this.statements.get(text);
    if (!statement) {
      const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
      statement = { name, text };
      this.statements.set(text, statement);
    }
    return statement;
  }
}

/** The stack of an error of pg leads to the socket, whoever made the statement. */
function withStackOfHere(error: unknown): unknown {
  Error.captureStackTrace(error as Error);
  return error;
}

function clientsOf(settings: DatabaseSettings): () => WritableClient {
  const options = {
    application_name: settings.applicationName,
    pipeline: true,
    // For each statement: on a connection that vanished, further writes keep a timeout of the socket from firing.
    query_timeout: answerTimeoutMs(statementTimeoutMs),
    connectionTimeoutMillis: answerTimeoutMs(statementTimeoutMs),
    ...connectionOptions(settings, statementTimeoutMs, planning),
  };
  return () => new WritableClient(options);
}
