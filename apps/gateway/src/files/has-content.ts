import type { Readable } from 'node:stream';

/** Whether there is anything to read; what was looked at is put back. */
export function hasContent(stream: Readable): Promise<boolean> {
  if (stream.readableEnded || stream.destroyed) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      stream.off('readable', look).off('end', end).off('close', end).off('error', fail);
    };
    const look = (): void => {
      const chunk = stream.read() as Buffer | null;
      if (chunk === null) return;
      leave();
      // At once: a stream whose last bytes were read ends before its listeners are called.
      stream.unshift(chunk);
      resolve(true);
    };
    const end = (): void => {
      leave();
      resolve(false);
    };
    const fail = (error: Error): void => {
      leave();
      reject(error);
    };
    stream.on('readable', look).on('end', end).on('close', end).on('error', fail);
  });
}
