import { join } from 'node:path';
import { findFreePort } from '@aos/local-infra';
import type { Call, Contender } from './contender.types.js';
import { makePeerFolder } from './peer-folder.js';
import { answers, startServer } from './server-process.js';

const program = 'restate-service.mjs';
const json = { 'content-type': 'application/json' };

/**
 * Restate's server with its own store (RocksDB, each commit synced, as it comes) and a service on its SDK in a process
 * of its own. A call is answered when the invocation has completed; each step is a `ctx.run` in its journal.
 */
export async function startRestate(
  packages: string,
  folder: string,
  signal: AbortSignal,
): Promise<Contender> {
  await makePeerFolder(folder, packages, [program]);
  const ingress = await freeAddress();
  const admin = await freeAddress();
  const server = await startRestateServer({ packages, folder, ingress, admin }, signal);
  try {
    const service = await startService(folder, admin, signal);
    return {
      name: 'Restate',
      calls: { 'one step': call(ingress, 'one'), 'three steps': call(ingress, 'three') },
      pids: [server.pid, service.pid],
      stop: async () => {
        await server.stop();
        await service.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

interface Places {
  readonly packages: string;
  readonly folder: string;
  readonly ingress: string;
  readonly admin: string;
}

async function startRestateServer({ packages, folder, ingress, admin }: Places, signal: AbortSignal) {
  const binary = `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;
  const fabric = await freeAddress();
  return startServer(
    {
      command: join(packages, 'node_modules', binary),
      args: ['--no-logo', '--base-dir', join(folder, 'data'), '--node-name', 'bench'],
      cwd: folder,
      environment: {
        DO_NOT_TRACK: '1',
        RESTATE_DISABLE_TELEMETRY: 'true',
        RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
        RESTATE_LOG_FILTER: 'warn',
        RESTATE_LISTEN_MODE: 'tcp',
        RESTATE_BIND_ADDRESS: fabric,
        RESTATE_INGRESS__BIND_ADDRESS: ingress,
        RESTATE_ADMIN__BIND_ADDRESS: admin,
      },
      isReady: (aborted) => answers(`http://${admin}/health`, { signal: aborted }),
    },
    signal,
  );
}

/** It is ready when the server has found it. */
async function startService(folder: string, admin: string, signal: AbortSignal) {
  const service = await freeAddress();
  const body = JSON.stringify({ uri: `http://${service}` });
  return startServer(
    {
      command: process.execPath,
      args: [join(folder, program), service],
      cwd: folder,
      environment: { RESTATE_LOGGING: 'ERROR' },
      isReady: (aborted) =>
        answers(`http://${admin}/deployments`, { method: 'POST', headers: json, body, signal: aborted }),
    },
    signal,
  );
}

function call(ingress: string, handler: string): Call {
  return {
    url: `http://${ingress}/bench/${handler}`,
    headers: json,
    body: JSON.stringify('go'),
    completed: 'Done.',
  };
}

async function freeAddress(): Promise<string> {
  return `127.0.0.1:${await findFreePort()}`;
}
