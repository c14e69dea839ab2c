import { AppError, maxFileBytes, notFound } from '@aos/contracts';
import type { CommittedFile, SandboxLimits } from './sandboxes.repository.js';

/** Why bytes did not become a file; undefined if they did. */
export function refusalOf(
  path: string,
  committed: CommittedFile | undefined,
  limits: SandboxLimits,
): AppError | undefined {
  if (!committed) return notFound('The sandbox');
  const { refusal, blocked_by: other, updated_at: storedAt } = committed;
  if (refusal === 'in_the_way') return inTheWay(path, other ?? path);
  if (refusal === 'files') return tooManyFiles(limits.maxFiles);
  if (refusal === 'bytes') return tooManyBytes(limits.maxBytes);
  if (storedAt) return undefined;
  return new AppError('invalid_state', 'The upload took too long; send the file again.');
}

export function tooLarge(): AppError {
  return new AppError('payload_too_large', `The file is too large: at most ${maxFileBytes} bytes.`);
}

export function tooManyFiles(maxFiles: number): AppError {
  return new AppError('limit_reached', `A sandbox has at most ${maxFiles} files.`);
}

export function tooManyBytes(maxBytes: number): AppError {
  return new AppError('limit_reached', `The files of a sandbox have at most ${maxBytes} bytes in total.`);
}

function inTheWay(path: string, other: string): AppError {
  const reason = other.startsWith(`${path}/`) ? 'is a folder' : `cannot be, since ${other} is a file`;
  return new AppError('already_exists', `${path} ${reason}.`);
}
