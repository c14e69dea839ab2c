export * from './agents.js';
export * from './cases.js';
export * from './connections.js';
export * from './evaluations.js';
export * from './files.js';
export * from './runs.js';
export * from './teams.js';
