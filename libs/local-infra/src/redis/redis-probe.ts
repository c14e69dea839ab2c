import { connect } from 'node:net';

const answerTimeoutMs = 1_000;

/** What the server on that port says of itself (`INFO server`), or undefined when none answers. */
export function askRedisInfo(port: number, password: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', timeout: answerTimeoutMs });
    const finish = (answer: string | undefined) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding('utf8');
    socket.once('connect', () => socket.write(`AUTH ${password}\r\nINFO server\r\n`));
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.startsWith('+OK\r\n')) text = text.slice('+OK\r\n'.length);
      const size = text.match(/^\$(\d+)\r\n/);
      if (size ? text.length >= size[0].length + Number(size[1]) : text.startsWith('-')) finish(text);
    });
    socket.once('timeout', () => finish(undefined));
    socket.once('error', () => finish(undefined));
    socket.once('close', () => finish(undefined));
  });
}
