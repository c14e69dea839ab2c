import type { Socket } from 'node:net';
import { AppError } from '@aos/contracts';
import { requestId } from './request-id.js';

/** Answers bytes that are no HTTP request. There is neither a route nor a reply yet, so the answer is written out. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(unreadableAnswer(error.code, requestId(undefined)));
}

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

export function unreadableAnswer(code: string | undefined, id: string): string {
  const message = reasons[code ?? ''] ?? 'The request is not valid HTTP.';
  const error = new AppError('invalid_request', message);
  const body = JSON.stringify(error.toBody());
  return [
    `HTTP/1.1 ${error.status} Bad Request`,
    `x-request-id: ${id}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
