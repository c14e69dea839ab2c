import { connect } from 'node:net';
import { HttpAnswer } from './http-answer.js';

export type Send = (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  payload?: string,
  /** The answer is enough as soon as this stands in it, whatever may follow. */
  enough?: string,
) => Promise<string>;

/**
 * Requests over connections that stay open; answers that are not 2xx are errors. The load shares two cores with what it
 * measures: `node:http` took half a millisecond of them for each request in the few seconds of a measurement, which is
 * a sixth of what a run costs. So it does what such a load needs and no more.
 */
export function keepAlive(): Send {
  const idle = new Map<string, Connection[]>();
  return async (method, url, headers, payload = '', enough) => {
    const { host, hostname, port, pathname, search } = new URL(url);
    const free = idle.get(host) ?? [];
    idle.set(host, free);
    const connection = takeOpen(free) ?? new Connection(hostname, Number(port), (ended) => free.push(ended));
    const lines = Object.entries({ ...headers, host, 'content-length': Buffer.byteLength(payload) });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const answer = await connection.ask(
      `${method} ${pathname}${search} HTTP/1.1\r\n${head}\r\n${payload}`,
      enough,
    );
    if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.status} ${answer.text}`);
    return answer.text;
  };
}

function takeOpen(free: Connection[]): Connection | undefined {
  for (let last = free.pop(); last; last = free.pop()) if (last.isOpen) return last;
  return undefined;
}

interface Question {
  readonly answer: HttpAnswer;
  readonly enough: string | undefined;
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (error: Error) => void;
}

class Connection {
  private readonly socket;
  private question: Question | undefined;

  constructor(
    host: string,
    port: number,
    private readonly free: (connection: Connection) => void,
  ) {
    this.socket = connect({ host, port, noDelay: true });
    this.socket.on('data', (piece) => this.hear(piece));
    this.socket.on('error', (error) => this.question?.reject(error));
    this.socket.on('close', () => this.question?.reject(new Error(`${host}:${port} closed the connection`)));
  }

  get isOpen(): boolean {
    return this.socket.writable;
  }

  ask(request: string, enough: string | undefined): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.question = { answer: new HttpAnswer(), enough, resolve, reject };
      this.socket.write(request);
    });
  }

  private hear(piece: Buffer): void {
    if (!this.question) return;
    const { answer, enough, resolve } = this.question;
    answer.take(piece);
    if (answer.ended) {
      this.question = undefined;
      this.free(this);
      resolve(answer);
    } else if (enough && answer.status < 300 && answer.text.includes(enough)) {
      // An end that is on its way is dealt with first, so that the connection is free for the next request.
      setImmediate(resolve, answer);
    }
  }
}
