import type { Socket } from 'node:net';
import pg from 'pg';
import { readOnlySqlState } from '../pg-errors.js';

/** The part of pg's Connection that is used here; it is a private field of the client. */
interface PgConnection {
  readonly stream: Socket;
  on(event: 'errorMessage', listener: (message: { readonly code?: string }) => void): unknown;
}

export interface WritableClientConfig extends pg.ClientConfig {
  /** For a client that is not pipelined: how long one query may wait for its answer before the connection is closed. */
  readonly answerTimeoutMs?: number;
}

/**
 * A client that closes its connection when the server refuses a write as read-only, or does not answer in time. After a
 * failover behind one host name, an open connection leads to the former primary until it is closed; a new one leads to
 * the primary.
 */
export class WritableClient extends pg.Client {
  private readonly awaitAnswer: () => void = () => undefined;

  constructor(config: WritableClientConfig = {}) {
    super(config);
    const { answerTimeoutMs = 0 } = config;
    // Between two users a client of a pool has no listener, and an error then would end the process. Queries fail by themselves.
    this.on('error', () => undefined);
    const connection = connectionOf(this);
    connection.on('errorMessage', ({ code }) => {
      // The query that failed gets its own error first.
      if (code === readOnlySqlState)
        setImmediate(() => connection.stream.destroy(lost('the server is read-only')));
    });
    if (answerTimeoutMs === 0) return;
    // Under TLS another socket takes its place, whose traffic counts for this one.
    const { stream } = connection;
    this.awaitAnswer = () => void stream.setTimeout(answerTimeoutMs);
    const rest = () => void stream.setTimeout(0);
    stream.on('timeout', () => stream.destroy(lost('Postgres is silent')));
    this.on('connect', rest).on('drain', rest);
    this.awaitAnswer();
  }

  override query<Answer>(...args: unknown[]): Answer {
    this.awaitAnswer();
    return (super.query as (...args: unknown[]) => Answer).apply(this, args);
  }
}

function lost(why: string): Error {
  return Object.assign(new Error(`Connection terminated: ${why}`), { code: 'ETIMEDOUT' });
}

/** The connection of a client and its socket, which are private fields of pg. */
export function connectionOf(client: object): PgConnection {
  const { connection } = client as { connection?: Partial<PgConnection> };
  const { stream } = connection ?? {};
  if (typeof connection?.on === 'function' && typeof stream?.cork === 'function')
    return connection as PgConnection;
  throw new Error(
    'This version of pg has no field `connection.stream` with the socket; use the version of package.json',
  );
}
