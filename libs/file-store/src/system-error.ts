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
