import { isQuiet, onNextActivity } from '../process/activity.js';

const watchEveryMs = 1_000;
const probeEveryMs = 250;
/** A store that takes longer to answer cannot serve requests. */
const patienceMs = 2_000;

/** Called when the gate closes and when it opens. */
export interface GateListener {
  onClose(): void;
  onOpen(): void;
}

/**
 * Closed while a store without which no work can be done does not answer. A replica that is cut off alone then leaves
 * shared requests and jobs to the others, instead of taking and failing them faster than the others serve them.
 */
export class WorkGate {
  private closed: Promise<void> | undefined;
  private open: () => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = true;
  private isLooking = false;
  private cancelRest: () => void = () => undefined;
  private readonly listeners: GateListener[] = [];
  private readonly probes: (() => Promise<unknown>)[] = [];

  /** Rejects when a store does not answer without which no work can be done. It must not wait for what work waits for. */
  addProbe(probe: () => Promise<unknown>): void {
    this.probes.push(probe);
  }

  get isOpen(): boolean {
    return this.closed === undefined;
  }

  onChange(listener: GateListener): void {
    this.listeners.push(listener);
  }

  /** Resolves when work can be done: at once while the gate is open, and after `stop`. */
  async untilOpen(): Promise<void> {
    await this.closed;
  }

  start(): void {
    this.isStopped = false;
    this.lookAfter(watchEveryMs);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.cancelRest();
    this.set(true);
  }

  /** Work has failed since a store did not answer: closes the gate until a probe succeeds. */
  suspect(): void {
    if (this.isStopped || !this.isOpen) return;
    this.set(false);
    this.lookAfter(0);
  }

  private lookAfter(ms: number): void {
    clearTimeout(this.timer);
    this.cancelRest();
    this.timer = setTimeout(() => void this.look(), ms).unref();
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    const hasAnswered = await inTime(Promise.all(this.probes.map((probe) => probe())), patienceMs);
    this.isLooking = false;
    if (this.isStopped) return;
    this.set(hasAnswered);
    if (!this.isOpen) this.lookAfter(probeEveryMs);
    else if (isQuiet()) this.cancelRest = onNextActivity(() => this.lookAfter(0));
    else this.lookAfter(watchEveryMs);
  }

  private set(isOpen: boolean): void {
    if (isOpen === this.isOpen) return;
    if (isOpen) {
      this.closed = undefined;
      this.open();
    } else {
      this.closed = new Promise((resolve) => (this.open = resolve));
    }
    for (const listener of this.listeners) {
      if (isOpen) listener.onOpen();
      else listener.onClose();
    }
  }
}

async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const done = work.then(
    () => true,
    () => false,
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}
