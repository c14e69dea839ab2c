import type { ChildProcess } from 'node:child_process';

/** Heartbeat message from the child to its parent. */
export const signOfLife = 'alive';
export const signOfLifeEveryMs = 1_000;

/** A process that was started here, of which there is one at a time. One that hangs is killed. */
export class OnlyChild {
  private child: ChildProcess | undefined;

  /** How long a child may be silent, its start included. */
  constructor(private readonly maxSilenceMs: number) {}

  get isThere(): boolean {
    return this.child !== undefined;
  }

  /** Until it is gone. */
  hold(child: ChildProcess): void {
    this.child = child;
    const silence = setTimeout(() => child.kill('SIGKILL'), this.maxSilenceMs).unref();
    child.on('message', () => silence.refresh());
    const gone = () => {
      clearTimeout(silence);
      if (this.child === child) this.child = undefined;
    };
    child.once('exit', gone);
    // One that could not be started never exits.
    child.once('close', gone);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (!child) return;
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await gone;
  }
}
