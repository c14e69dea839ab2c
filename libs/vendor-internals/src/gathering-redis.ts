import type { Socket } from 'node:net';
import { Redis, type Command, type RedisOptions } from 'ioredis';
import { explainOff, type VendorFeature } from './versions.js';

/** `stream`, the socket of a connection, is a private field. */
export const ioredisFeature: VendorFeature = {
  name: 'Batching the Redis commands of one turn of the event loop into one write',
  writtenFor: { ioredis: '5.11.1' },
};

export const ioredisNotice = explainOff(ioredisFeature);

/**
 * The commands of one turn of the event loop leave in one write: a system call costs more than a command. ioredis' own
 * way to that end makes a pipeline for each turn, which costs more than it saves where few commands meet.
 */
export class GatheringRedis extends Redis {
  private gathering = false;

  constructor(
    url: string,
    options: RedisOptions,
    private readonly isOn = ioredisNotice === undefined,
  ) {
    super(url, options);
  }

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    if (this.isOn) this.gather();
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
