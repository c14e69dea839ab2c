import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { install } from './install.js';
import { node24 } from './pinned.js';

const wantedMajor = '24';

/**
 * Runs this very program again on Node 24, which then runs the product, the peers and the load; undefined if it goes on
 * here, because this is Node 24 or there is none to be had.
 */
export async function onSameNode(cache: string): Promise<number | undefined> {
  if (process.versions.node.split('.')[0] === wantedMajor) return undefined;
  let execPath: string;
  try {
    const pinned = node24(process);
    const folder = await install(pinned, cache);
    execPath = join(folder, 'node_modules', Object.keys(pinned.packages)[0]!, 'bin', 'node');
  } catch (error) {
    console.log(`Node 24 cannot be installed: ${(error as Error).message}`);
    console.log(`Everything runs on Node ${process.versions.node}; the targets are meant for Node 24.`);
    return undefined;
  }
  // The channel tells the other when this process is gone, however it went.
  const child = fork(process.argv[1]!, process.argv.slice(2), { execPath, execArgv: [] });
  // A terminal tells both of Ctrl-C; what only this one is told goes on to the other, which ends in good order.
  const passOn = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, passOn);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
