/** What is read of a report that Jest writes. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly JestFile[];
}

export interface JestFile {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly message: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: 'passed' | 'failed' | 'pending';
    readonly failureMessages: readonly string[];
  }[];
}

export interface Suite {
  readonly name: string;
  readonly report?: JestReport;
}

export interface Failure {
  readonly suite: string;
  readonly name: string;
  readonly message: string;
}

export const groups: readonly string[];
export const kinds: Readonly<Record<'test' | 'integration' | 'e2e', string>>;
export function withSecondTry(report: JestReport, again: JestReport): JestReport;
export function filesToTryAgain<S extends Suite>(
  suites: readonly S[],
): (Omit<S, 'report'> & { files: string[] })[];
export function failuresOf(suite: string, files: readonly JestFile[]): Failure[];
export function sum(suites: readonly Suite[]): {
  passed: number;
  failed: number;
  empty: string[];
  failures: Failure[];
  slowest: { suite: string; name: string; ms: number }[];
};
