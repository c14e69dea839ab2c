import { Module } from '@nestjs/common';
import { RunSlots } from '../../run-core/claims/run-slots.js';
import { ExecutorSlots } from './executor-slots.js';
import { HeapRoom } from './heap-room.js';

/** How much work this process takes. */
@Module({
  providers: [HeapRoom, ExecutorSlots, { provide: RunSlots, useExisting: ExecutorSlots }],
  exports: [ExecutorSlots, RunSlots],
})
export class SlotsModule {}
