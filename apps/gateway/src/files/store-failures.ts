import { AppError, notFound } from '@aos/contracts';
import { FileNotFound, FileStoreUnavailable } from '@aos/file-store';

/** Translates failures of the file store; passes on all others. */
export function storeFailure(error: unknown): unknown {
  // It was deleted after its owner had said where it is.
  if (error instanceof FileNotFound) return notFound('The file');
  if (!(error instanceof FileStoreUnavailable)) return error;
  return new AppError('unavailable', 'The file store is unavailable.', { cause: error });
}
