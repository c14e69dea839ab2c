import { connect } from 'node:net';

export interface RedisMonitor {
  /** Every command that any client has sent since, as its name and arguments. */
  readonly commands: string[][];
  stop(): void;
}

/**
 * Watches what reaches Redis. Not through ioredis: commands that come in one piece with the answer to MONITOR break it
 * there ("Command queue state error"), which happens whenever others use the same Redis.
 */
export async function startRedisMonitor(url: string): Promise<RedisMonitor> {
  const { hostname, port, username, password } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const commands: string[][] = [];
  const login = password
    ? `AUTH ${[username, password].filter(Boolean).map(decodeURIComponent).join(' ')}\r\n`
    : '';
  let greetings = login ? 2 : 1;
  let rest = '';
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (text: string) => {
      const lines = (rest + text).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (greetings === 0) commands.push(argumentsOf(line));
        else if (!line.startsWith('+')) reject(new Error(line));
        else if (--greetings === 0) resolve();
      }
    });
    socket.write(`${login}MONITOR\r\n`);
  });
  return { commands, stop: () => socket.destroy() };
}

/** A line is a time, a client and the quoted arguments. */
function argumentsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, quoted]) =>
    quoted!.replaceAll(/\\(x[0-9a-f]{2}|.)/g, (_, code: string) => unescaped(code)),
  );
}

function unescaped(code: string): string {
  if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return { n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b' }[code] ?? code;
}
