import { unreadableAnswer } from './unreadable-requests.js';

describe('unreadableAnswer', () => {
  it.each([
    ['HPE_HEADER_OVERFLOW', 'The headers are too large.'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 'The request did not arrive in time.'],
    ['HPE_INVALID_METHOD', 'The request is not valid HTTP.'],
    [undefined, 'The request is not valid HTTP.'],
  ])('%s: an answer of the common shape', (code, message) => {
    const [head, body] = unreadableAnswer(code, 'id-1').split('\r\n\r\n') as [string, string];
    const [status, ...headers] = head.split('\r\n');
    expect(status).toBe('HTTP/1.1 400 Bad Request');
    expect(headers).toEqual([
      'x-request-id: id-1',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ]);
    expect(JSON.parse(body)).toEqual({ error: 'invalid_request', message });
  });
});
