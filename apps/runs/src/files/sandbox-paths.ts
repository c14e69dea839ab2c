import { AppError } from '@aos/contracts';
import { sandboxFilePath, sandboxPath, type SandboxPathCheck, sandboxRoot } from '@aos/file-store';

/** How long an upload may take before its bytes are swept. */
export const uploadMs = 2 * 3600_000;

/** A download of what was replaced or deleted may still be under way. */
export const graceMs = 60_000;

/** The path of a file as it is known, or a 400 that says what is wrong with it. */
export function acceptFilePath(text: string): string {
  return accept(sandboxFilePath(text));
}

/** The path of a folder; the sandbox itself unless another is named. */
export function acceptFolderPath(text: string = sandboxRoot): string {
  return accept(sandboxPath(text));
}

/** The folders that a file needs, without the sandbox itself, which is always there. */
export function foldersOf(path: string): string[] {
  const names = path.slice(sandboxRoot.length + 1).split('/');
  return names.slice(0, -1).map((_, index) => `${sandboxRoot}/${names.slice(0, index + 1).join('/')}`);
}

function accept(check: SandboxPathCheck): string {
  if (!check.ok) throw new AppError('invalid_request', `path: ${check.reason}`);
  return check.path;
}
