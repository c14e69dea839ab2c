export { BackgroundLoops, BackgroundModule, type BackgroundLoopOptions } from './background-loops.js';
export { Batcher, type BatcherOptions, type BatchOutcome } from './batcher.js';
export { FairLimiter, type FairLimiterOptions } from './fair-limiter.js';
export { Quarantine, CoolDown } from './quarantine.js';
export { heartbeatMs, LeaseHeartbeat, type LeaseHeartbeatOptions } from './lease-heartbeat.js';
export { WakeableLoop, type WakeableLoopOptions } from './wakeable-loop.js';
