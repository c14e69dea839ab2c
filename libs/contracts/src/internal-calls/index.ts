import { ping, pullEvents, type InternalCall } from '../internal-call.js';
import { resolveBuilds } from './builds.js';
import { findRubrics, scoreBuild } from './evaluations.js';
import { commitFile, discardFile, findFile, stageFile } from './files.js';
import { listMemory, readMemory, writeMemory } from './memory.js';
import { findRun } from './runs.js';
import { describeToolSets } from './tool-sets.js';

/** Every request between services. */
export const internalCalls: readonly InternalCall[] = [
  ping,
  pullEvents,
  resolveBuilds,
  findRubrics,
  scoreBuild,
  stageFile,
  commitFile,
  discardFile,
  findFile,
  readMemory,
  writeMemory,
  listMemory,
  findRun,
  describeToolSets,
];
