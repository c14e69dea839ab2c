export * from './agents.js';
export * from './builds.js';
export * from './connections.js';
export * from './evaluations.js';
export * from './files.js';
export * from './memory.js';
export * from './runs.js';
export * from './tool-sets.js';
