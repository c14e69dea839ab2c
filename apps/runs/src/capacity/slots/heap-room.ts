import { getHeapStatistics } from 'node:v8';
import { Injectable } from '@nestjs/common';

/** Above this part of the heap no further run is taken: those in hand must be able to end. */
const fullShare = 0.75;
const lookEveryMs = 100;

/** Tells whether this process has memory for more work. */
@Injectable()
export class HeapRoom {
  private lookedAt = -Infinity;
  private short = false;

  isShort(): boolean {
    const now = performance.now();
    if (now - this.lookedAt >= lookEveryMs) {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      this.short = used > fullShare * limit;
      this.lookedAt = now;
    }
    return this.short;
  }
}
