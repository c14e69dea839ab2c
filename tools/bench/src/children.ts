import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a script of this folder in a process of its own and returns what it reports; `signal` ends it before that. */
export async function measureInChild<Result>(
  script: string,
  input: object,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const child = fork(path(script), [JSON.stringify(input)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const end = () => child.kill();
  signal?.addEventListener('abort', end, { once: true });
  try {
    const told = once(child, 'message') as Promise<[Result]>;
    // The channel closes behind its last message; the process may be gone before that.
    const silent = once(child, 'disconnect').then(() => undefined);
    const outcome = await Promise.race([told, silent]);
    signal?.throwIfAborted();
    if (!outcome) throw new Error(`${script} ended without a result`);
    return outcome[0];
  } finally {
    signal?.removeEventListener('abort', end);
    child.kill();
    await exited;
  }
}

/** Starts a script that serves until it is stopped; resolves with its first message. */
export async function serveInChild<Ready>(
  script: string,
  input: object,
): Promise<{ ready: Ready; stop(): Promise<void> }> {
  const child: ChildProcess = fork(path(script), [JSON.stringify(input)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [ready] = (await once(child, 'message')) as [Ready];
  return {
    ready,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

export function childInput<Input>(): Input {
  return JSON.parse(process.argv[2]!) as Input;
}

function path(script: string): string {
  return fileURLToPath(new URL(`./${script}.js`, import.meta.url));
}
