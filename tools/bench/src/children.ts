import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a script of this folder in a process of its own and returns what it reports. */
export async function measureInChild<Result>(script: string, input: object): Promise<Result> {
  const child = fork(path(script), [JSON.stringify(input)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [result] = (await once(child, 'message')) as [Result];
  child.kill();
  await once(child, 'exit');
  return result;
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
