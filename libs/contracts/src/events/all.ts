export * from './agents.js';
export * from './billing.js';
export * from './connections.js';
export * from './queues.js';
export * from './runs.js';
export * from './teams.js';
export * from './usage.js';
