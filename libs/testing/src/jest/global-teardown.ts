import { stopStoresOfRun } from './stores-of-run.js';

/** Jest calls the default export once after all files of a run. */
export default stopStoresOfRun;
