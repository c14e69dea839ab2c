import { connect } from 'node:net';

const answerTimeoutMs = 1_000;

/**
 * Whether the server takes sessions now. It answers the opening message with a request to authenticate ("R"), and
 * with an error ("E") while it starts, recovers or stops. An open port alone says nothing of the sort.
 */
export function acceptsSessions(port: number, user: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: answerTimeoutMs });
    const finish = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('connect', () => socket.write(openingMessage(user)));
    socket.once('data', (answer) => finish(answer[0] === 'R'.charCodeAt(0)));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
  });
}

function openingMessage(user: string): Buffer {
  const protocolVersion = 196_608;
  const body = Buffer.from(`user\0${user}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + body.length, 0);
  head.writeInt32BE(protocolVersion, 4);
  return Buffer.concat([head, body]);
}
