import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { createConnection, type Connection } from '@aos/contracts';
import type { RunningService } from '@aos/service';
import { startServiceHere } from '@aos/testing';
import { startRuns, type RunsClient, type RunsUnderTest } from './runs-under-test.js';

/** Runs with the connections service beside them. */
export interface ConnectedRuns extends RunsUnderTest {
  readonly connections: RunningService;
}

/** One address only: the others of this machine stand for private ones. */
export const connectedEnvironment = { EGRESS_ALLOW_CIDRS: '127.0.0.1/32', OAUTH_CONFIRM_CONSENT: 'false' };

export async function startConnectedRuns(environment: Record<string, string> = {}): Promise<ConnectedRuns> {
  const runs = await startRuns({ environment: { ...connectedEnvironment, ...environment } });
  const connections = await startServiceHere('connections', runs.environment);
  return {
    ...runs,
    connections,
    stop: async () => {
      await connections.close();
      await runs.stop();
    },
  };
}

/** A connection to an MCP server of the team; gives its id. */
export async function connect(runs: RunsClient, url: string, more: object = {}): Promise<string> {
  const body = { name: 'Tools', server_url: url, auth_method: 'none', ...more };
  const { status, text, body: made } = await runs.call(createConnection, { body });
  if (status !== 201) throw new Error(`createConnection answered ${status}: ${text}`);
  return (made as Connection).id;
}

export interface EverythingServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The reference server of MCP, as a process of its own. */
export async function startEverythingServer(): Promise<EverythingServer> {
  const manifest = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/package.json',
  );
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [manifest.replace('package.json', 'dist/index.js'), 'streamableHttp'],
    {
      env: { PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const exited = once(child, 'exit');
  for await (const chunk of child.stderr) if (String(chunk).includes('listening on port')) break;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
