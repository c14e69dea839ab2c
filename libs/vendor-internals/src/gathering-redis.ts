import type { Socket } from 'node:net';
import { Redis, type Command, type RedisOptions } from 'ioredis';

/**
 * The commands of one turn of the event loop leave in one write: a system call costs more than a command. ioredis' own
 * way to that end makes a pipeline for each turn, which costs more than it saves where few commands meet.
 */
export class GatheringRedis extends Redis {
  private gathering = false;

  constructor(url: string, options: RedisOptions) {
    super(url, options);
    this.once('connect', () => socketOf(this));
  }

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    this.gather();
    return super.sendCommand(command as Command, stream);
  }

  private gather(): void {
    const { stream } = this as unknown as { stream?: Socket };
    if (this.gathering || !stream) return;
    this.gathering = true;
    stream.cork();
    setImmediate(() => {
      this.gathering = false;
      stream.uncork();
    });
  }
}

/** The socket of a connection, a private field of ioredis: a version that keeps it elsewhere is found at the start. */
export function socketOf(connection: object): Pick<Socket, 'cork' | 'uncork'> {
  const { stream } = connection as { stream?: Partial<Socket> };
  if (typeof stream?.cork === 'function' && typeof stream.uncork === 'function') return stream as Socket;
  throw new Error(
    'This version of ioredis has no field `stream` with the socket; use the version of package.json',
  );
}
