export { BackgroundLoops, type BackgroundLoopOptions } from './background-loops.js';
export { BackgroundModule } from './background.module.js';
export { Batcher, type BatcherOptions, type BatchOutcome } from './batcher.js';
export { FailingItems } from './failing-items.js';
export { heartbeatMs, LeaseHeartbeat, type LeaseHeartbeatOptions } from './lease-heartbeat.js';
export { Resting } from './resting.js';
export { WakeableLoop, type WakeableLoopOptions } from './wakeable-loop.js';
