import { TransientToolError, type EndedOutcome } from '@aos/agent-runtime';
import { AppError } from '@aos/contracts';
import { FileStoreUnavailable, FileTooLarge } from '@aos/file-store';
import { isPassing } from '@aos/persistence';

/**
 * What the work gives is the result; a refusal is told to the model, and what may pass is tried again. Anything else
 * is thrown: the model hears that the tool failed, the log hears why.
 */
export async function toolResult(work: () => Promise<unknown>): Promise<EndedOutcome> {
  try {
    return { kind: 'result', result: await work() };
  } catch (error) {
    if (error instanceof FileTooLarge) return toolError('The file is too large.');
    if (mayPass(error)) throw new TransientToolError('A part of the service is away for a moment.');
    if (error instanceof AppError) return toolError(error.message);
    throw error;
  }
}

export function toolError(message: string): EndedOutcome {
  return { kind: 'error', message };
}

function mayPass(error: unknown): boolean {
  if (error instanceof AppError) return error.status >= 500;
  return error instanceof FileStoreUnavailable || isPassing(error);
}
