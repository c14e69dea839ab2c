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

/** The code that Node gives to errors of the system, such as ENOENT. */
export function systemCodeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** The result of the work, or nothing when it fails with one of the codes. */
export async function unless<Result>(
  codes: readonly string[],
  work: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codes.includes(systemCodeOf(error))) return undefined;
    throw error;
  }
}
