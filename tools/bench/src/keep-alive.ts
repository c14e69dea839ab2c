import { Agent, request } from 'node:http';

export type Send = (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  payload?: string,
  /** The answer is enough as soon as this stands in it, whatever may follow. */
  enough?: string,
) => Promise<string>;

/** Requests over connections that stay open; answers that are not 2xx are errors. */
export function keepAlive(connections = Infinity): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return (method, url, headers, payload, enough) =>
    new Promise((resolve, reject) => {
      const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) };
      const sent = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          // An end that came with it is dealt with first, so that the connection is free for the next request.
          if (enough && response.statusCode! < 300 && text.includes(enough)) setImmediate(resolve, text);
        });
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode! < 300) resolve(text);
          else reject(new Error(`${method} ${url}: ${response.statusCode} ${text}`));
        });
      });
      sent.on('error', reject);
      sent.end(payload);
    });
}
