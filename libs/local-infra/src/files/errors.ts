/** A fault of the machine or of a setting, told in one line that can be shown to a person as it is. */
export class LocalInfraError extends Error {
  override readonly name = 'LocalInfraError';
}

const fileFaults: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a file of that name is in the way',
  ENAMETOOLONG: 'the path is too long',
};

/** Says in one line why a file or folder could not be used; unknown faults are handed back as they are. */
export function asFileError(error: unknown, path: string): unknown {
  const reason = fileFaults[errorCode(error) ?? ''];
  return reason ? new LocalInfraError(`cannot use ${path}: ${reason}`, { cause: error }) : error;
}

/** The `code` of a system error. Its class does not tell: Jest runs each file with classes of its own. */
export function errorCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
