import type { IncomingMessage } from 'node:http';
import { AppError } from '@aos/contracts';

/**
 * Whether a request has a body to read; what was looked at is put back. Rejects where its client went before the body was
 * here: that is no request without a body, whose refusal would be kept for its Idempotency-Key.
 */
export async function hasContent(request: IncomingMessage): Promise<boolean> {
  if (request.readableEnded) return false;
  if (request.destroyed) return noContentUnlessBroken(request);
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      request.off('readable', look).off('end', end).off('close', close).off('error', fail);
    };
    const look = (): void => {
      const chunk = request.read() as Buffer | null;
      if (chunk === null) return;
      leave();
      // At once: a stream whose last bytes were read ends before its listeners are called.
      request.unshift(chunk);
      resolve(true);
    };
    const end = (): void => {
      leave();
      resolve(false);
    };
    const close = (): void => {
      leave();
      resolve(noContentUnlessBroken(request));
    };
    const fail = (): void => {
      leave();
      reject(incomplete());
    };
    request.on('readable', look).on('end', end).on('close', close).on('error', fail);
  });
}

async function noContentUnlessBroken({ complete, readableLength }: IncomingMessage): Promise<false> {
  if (!complete || readableLength > 0) throw incomplete();
  return false;
}

function incomplete(): AppError {
  return new AppError('invalid_request', 'The body is not complete.');
}
