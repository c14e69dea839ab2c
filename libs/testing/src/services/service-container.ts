import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from '@aos/local-infra';
import { uuidv7 } from 'uuidv7';
import type { ServiceProcess } from './service-process.js';

const execute = promisify(execFile);
const startTimeoutMs = 120_000;
const lookEveryMs = 100;

/** The profile with which Chromium may make its own walls, as in the compose file. */
const chromiumProfile = fileURLToPath(new URL('../../../../docker/chromium-seccomp.json', import.meta.url));

/**
 * Starts a service from its image, as locked up as the compose file has it, but on the network of this machine, where the
 * stores and receivers of tests are; resolves when it is ready. It can be used wherever a process of the service can.
 */
export async function startServiceContainer(
  image: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const name = `aos-test-${uuidv7()}`;
  const healthPort = environment['HEALTH_PORT'] ?? String(await findFreePort());
  const own = { ...environment, HEALTH_HOST: '127.0.0.1', HEALTH_PORT: healthPort };
  const client = spawn('docker', ['run', '--rm', '--name', name, ...lockedUp, ...given(own), image], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer) => (output += chunk.toString());
  client.stdout.on('data', collect);
  client.stderr.on('data', collect);
  // The client ends with the code of the container.
  const exited = once(client, 'exit').then(([code]) => code as number | null);
  const kill = (signal: NodeJS.Signals) => execute('docker', ['kill', '--signal', signal, name]);
  const isOver = exited.then(() => true);
  const deadline = performance.now() + startTimeoutMs;
  while (!(await isReady(healthPort))) {
    if ((await Promise.race([isOver, pause()])) || performance.now() > deadline) {
      await kill('SIGKILL').catch(() => undefined);
      throw new Error(`The container of ${image} did not get ready:\n${output}`);
    }
  }
  const { stdout } = await execute('docker', ['inspect', '--format', '{{.State.Pid}}', name]);
  return {
    pid: Number(stdout),
    output: () => output,
    // One that is gone already needs no signal.
    signal: (signal) => void kill(signal).catch(() => undefined),
    exited,
    stop: async () => {
      await kill('SIGTERM').catch(() => undefined);
      await exited;
    },
  };
}

const lockedUp = [
  ...['--network', 'host', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges:true', '--security-opt', `seccomp=${chromiumProfile}`],
  ...['--shm-size', '256m'],
];

/** By name alone: what the values are is no business of the list of processes. The folder of files is the machine's. */
function given(environment: Readonly<Record<string, string>>): string[] {
  const folder = environment['FILES_DIR'];
  return [
    ...Object.keys(environment).flatMap((variable) => ['--env', variable]),
    ...(folder
      ? ['--volume', `${folder}:${folder}`, '--user', `${process.getuid!()}:${process.getgid!()}`]
      : []),
  ];
}

async function isReady(healthPort: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

function pause(): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), lookEveryMs));
}
