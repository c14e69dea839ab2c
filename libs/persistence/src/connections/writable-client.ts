import { Socket } from 'node:net';
import pg from 'pg';
import { isReadOnly } from '../pg-errors.js';
import type { DatabaseWay } from './database-socket.js';

export interface WritableClientConfig
  extends Omit<pg.ClientConfig, 'stream'>, Partial<Pick<DatabaseWay, 'stream'>> {
  /** For a client that is not pipelined: how long one query may wait for its answer before the connection is closed. */
  readonly answerTimeoutMs?: number;
}

/**
 * A client that closes its connection when the server refuses a write as read-only, or does not answer in time. After a
 * failover behind one host name, an open connection leads to the former primary until it is closed; a new one leads to
 * the primary. Under TLS pg writes to a socket of its own, whose traffic refreshes the timeout of the one below it.
 */
export class WritableClient extends pg.Client {
  private readonly socket: () => Socket | undefined;
  private readonly answerTimeoutMs: number;

  constructor({ answerTimeoutMs = 0, stream = () => new Socket(), ...config }: WritableClientConfig = {}) {
    let socket: Socket | undefined;
    super({ ...config, stream: (use?: Parameters<typeof stream>[0]) => (socket = stream(use)) });
    this.socket = () => socket;
    this.answerTimeoutMs = answerTimeoutMs;
    // Between two users a client of a pool has no listener, and an error then would end the process. Queries fail by themselves.
    this.on('error', () => undefined);
    if (answerTimeoutMs === 0) return;
    const rest = () => void socket?.setTimeout(0);
    socket?.on('timeout', () => this.drop('Postgres is silent'));
    this.on('connect', rest).on('drain', rest);
    this.awaitAnswer();
  }

  override query<Answer>(...args: unknown[]): Answer {
    this.awaitAnswer();
    const answer = (super.query as (...args: unknown[]) => Answer).apply(this, args);
    if (answer instanceof Promise) answer.catch((error: unknown) => this.leaveReadOnly(error));
    return answer;
  }

  /** Closes the connection if this refusal says that the server takes no writes. */
  leaveReadOnly(error: unknown): void {
    // The query that failed gets its own error first.
    if (isReadOnly(error)) setImmediate(() => this.drop('the server is read-only'));
  }

  /** Closes the connection once nothing has crossed it for this long. */
  closeWhenIdle(idleTimeoutMs: number, onClose: () => void): void {
    this.socket()?.setTimeout(idleTimeoutMs, () => {
      onClose();
      this.socket()?.destroy();
    });
  }

  private awaitAnswer(): void {
    if (this.answerTimeoutMs > 0) this.socket()?.setTimeout(this.answerTimeoutMs);
  }

  private drop(reason: string): void {
    const lost = new Error(`Connection terminated: ${reason}`);
    this.socket()?.destroy(Object.assign(lost, { code: 'ETIMEDOUT' }));
  }
}
