import { relative, sep } from 'node:path';
import { root } from './config.mjs';
import { repeatCommand } from './summary.mjs';

/** Prints one line per file and, for each failure, the command that repeats it. Sends the results to `runJest`. */
export default class Reporter {
  files = [];

  onTestFileResult(_, { testFilePath, testResults, testExecError, failureMessage, perfStats, ...counts }) {
    const path = relative(root, testFilePath).replaceAll(sep, '/');
    const seconds = perfStats.runtime / 1000;
    const failed = counts.numFailingTests + (testExecError ? 1 : 0);
    const { numPassingTests: passed, numPendingTests: skipped } = counts;
    this.files.push({ path, seconds, passed, failed, skipped, message: failureMessage });
    const done = passed > 0 ? 'pass' : 'skip';
    console.log(`${failed > 0 ? 'FAIL' : done} ${seconds.toFixed(1).padStart(6)} s  ${path}`);
    if (failed === 0) return;
    console.log(failureMessage);
    const titles = testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    for (const title of titles.length > 0 ? titles : [undefined])
      console.log(`Repeat it: ${repeatCommand(path, title)}\n`);
  }

  onRunComplete() {
    process.send(this.files);
    this.files = [];
  }
}
