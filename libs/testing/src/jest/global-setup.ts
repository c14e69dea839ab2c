import { startStoresOfRun } from './stores-of-run.js';

/** Jest calls the default export once before all files of a run. */
export default startStoresOfRun;
