import type { Socket } from 'node:net';
import { Redis, type Command } from 'ioredis';

/**
 * The commands of one turn of the event loop leave in one write: a system call costs more than a command. ioredis' own
 * way to that end makes a pipeline for each turn, which costs more than it saves where few commands meet.
 */
export class GatheringRedis extends Redis {
  private gathering = false;

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
