import { systemCodeOf } from './system-error.js';

/** Nothing is stored under the key. */
export class FileNotFound extends Error {
  override readonly name = 'FileNotFound';

  constructor(
    readonly key: string,
    cause?: unknown,
  ) {
    super(`No file is stored under ${key}.`, { cause });
  }
}

/** The source had more bytes than it was allowed; none of them was stored. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';

  constructor(readonly maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes.`);
  }
}

/** The disk or the S3 store does not do its work now; the same call may succeed later. `cause` is for logs. */
export class FileStoreUnavailable extends Error {
  override readonly name = 'FileStoreUnavailable';

  constructor(action: string, cause?: unknown) {
    super(`The file store could not ${action}${codeOf(cause)}.`, { cause });
  }
}

function codeOf(cause: unknown): string {
  const code = systemCodeOf(cause) || (cause instanceof Error ? cause.name : '');
  return code === '' || code === 'Error' ? '' : ` (${code})`;
}
