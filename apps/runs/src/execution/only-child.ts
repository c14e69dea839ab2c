import type { ChildProcess } from 'node:child_process';

/** A process that was started here, of which there is one at a time. */
export class OnlyChild {
  private child: ChildProcess | undefined;

  get isThere(): boolean {
    return this.child !== undefined;
  }

  /** Until it is gone. */
  hold(child: ChildProcess): void {
    this.child = child;
    const gone = () => {
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
