const mebibyte = 1024 * 1024;

/** What one run of code may use. */
export interface CodeLimits {
  /** The machine of the code, about 2 MiB of which are QuickJS; at least 16 MiB. */
  readonly memoryBytes: number;
  /** The time in which the code computes. */
  readonly cpuMs: number;
  /** The time from its start to its end, waits for files included. */
  readonly wallMs: number;
  /** What `console` takes; the rest is cut off. */
  readonly outputBytes: number;
  /** The result as JSON. */
  readonly resultBytes: number;
  /** One file that is read or written, and one list. */
  readonly fileBytes: number;
  readonly fileCalls: number;
}

export const defaultCodeLimits: CodeLimits = {
  memoryBytes: 64 * mebibyte,
  cpuMs: 10_000,
  wallMs: 30_000,
  outputBytes: 64 * 1024,
  resultBytes: 256 * 1024,
  fileBytes: 10 * mebibyte,
  fileCalls: 1_000,
};

export const maxCodeBytes = mebibyte;

/** QuickJS can make JSON of 20,000 levels, at which much of what handles a result later would run out of stack. */
export const maxResultDepth = 100;

/** More would not fit into the 1 MiB of stack that QuickJS was compiled with. */
export const stackBytes = 512 * 1024;

/**
 * Each frame of QuickJS also takes stack of the thread, and a thread that runs out of its own stack breaks the machine
 * where QuickJS would have thrown. 512 KiB of nested parentheses took 12.7 MiB on x64 and more than 16 MiB on arm64,
 * whose frames are larger. The system gives memory only for what is used of it.
 */
export const threadLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16, stackSizeMb: 64 };

/** Sizes and times as the writer of the code reads them. */
export const formatBytes = (bytes: number): string =>
  bytes >= mebibyte ? `${bytes / mebibyte} MiB` : bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
export const formatMs = (ms: number): string => `${ms / 1000} s`;
