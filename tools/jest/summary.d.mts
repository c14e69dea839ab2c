export interface FileResult {
  readonly path: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly message: string;
}

export function sum(files: readonly FileResult[], count: 'passed' | 'failed'): number;
export function filesToRetry(files: readonly FileResult[]): string[];
export function withRetries(files: readonly FileResult[], retries: readonly FileResult[]): FileResult[];
export function emptySuites(files: readonly FileResult[]): string[];
export function repeatedFaults(faults: readonly string[], historyFile: string): string[];
export function repeatCommand(
  path: string,
  title?: string,
  environment?: Readonly<Record<string, string | undefined>>,
): string;
