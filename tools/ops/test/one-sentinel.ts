import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Tells clients where the master is, as a sentinel does, and knows no other sentinel. */
export interface OneSentinel {
  readonly host: string;
  /** How often the master was asked for. */
  readonly asked: number;
  stop(): Promise<void>;
}

export async function startOneSentinel(masterName: string, masterUrl: string): Promise<OneSentinel> {
  const { hostname, port } = new URL(masterUrl);
  const open = new Set<Socket>();
  let asked = 0;
  const answerTo = ([command, question, name]: readonly string[]): string => {
    if (command?.toLowerCase() !== 'sentinel') return '+OK\r\n';
    if (question !== 'get-master-addr-by-name') return '*0\r\n';
    if (name !== masterName) return '*-1\r\n';
    asked += 1;
    return `*2\r\n$${hostname.length}\r\n${hostname}\r\n$${port.length}\r\n${port}\r\n`;
  };
  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => client.destroy()).on('close', () => open.delete(client));
    let lines: string[] = [''];
    client.setEncoding('utf8').on('data', (chunk: string) => {
      lines = (lines.join('\r\n') + chunk).split('\r\n');
      for (let words = takeCommand(lines); words; words = takeCommand(lines)) client.write(answerTo(words));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** `*2`, `$4`, `ping`, `$1`, `x`: the words of a command that has come in full, which leaves the lines. */
function takeCommand(lines: string[]): string[] | undefined {
  const length = 1 + 2 * Number(lines[0]!.slice(1));
  // The last line has not ended yet.
  if (lines[0] === '' || lines.length <= length) return undefined;
  return lines.splice(0, length).filter((_, index) => index > 0 && index % 2 === 0);
}
