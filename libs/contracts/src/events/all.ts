export * from './agents.js';
export * from './connections.js';
export * from './queues.js';
export * from './runs.js';
