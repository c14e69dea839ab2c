export * from './agents.js';
export * from './runs.js';
export * from './webhooks.js';
