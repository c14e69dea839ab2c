import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

export interface Guard {
  release(): void;
}

// `read` returns when the other end of its stdin is closed, which the system does however the parent ends.
// It is built into sh, so a waiting guard is one small process without children.
const script = `
read -r _
kill -s "$2" "$1" 2>/dev/null || exit 0
left=$3
while [ "$left" -gt 0 ]; do
  sleep 1
  kill -s 0 "$1" 2>/dev/null || exit 0
  left=$((left - 1))
done
kill -s KILL "$1" 2>/dev/null
`;

/** Ends process `pid` when this process is gone, even by SIGKILL. Releasing it leaves nothing behind. */
export function guardProcess(pid: number, options: { signal: string; graceSeconds: number }): Guard {
  const guard = spawn(
    'sh',
    ['-c', script, 'guard', String(pid), options.signal.replace(/^SIG/, ''), String(options.graceSeconds)],
    // A session of its own: a Ctrl-C in the terminal must not end the guard before its ward.
    { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' },
  );
  // Without sh there is no guard; the ward runs all the same.
  guard.once('error', () => undefined);
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  guard.stdin?.on('error', () => undefined);
  return { release: () => void guard.kill('SIGKILL') };
}
