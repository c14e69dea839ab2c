import { fileURLToPath } from 'node:url';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import { formatMs, threadLimits, type CodeLimits } from './code-limits.js';
import { failed, type CodeOutcome } from './code-outcome.js';
import { compiledQuickjs } from './machine/compiled-quickjs.js';
import { answerFileCall, type CodeFiles } from './file-calls.js';
import { OutputBuffer } from './machine/output-buffer.js';
import type { MachineEnd, ThreadInput, ThreadMessage, ThreadOrder } from './machine/thread-messages.js';

// A thread runs compiled code. Where this file is run from its source, as in tests, that is the build beside it.
const workerFile = fileURLToPath(new URL('../dist/machine/sandbox-worker.js', import.meta.url));

/** A thread starts within 0.1 s; a machine that cannot do it in this time has other troubles. */
const startMs = 30_000;

const broken =
  'The code broke the machine it ran in, as code can that takes much memory or nests very deeply. It was ended.';

export interface ThreadOptions {
  readonly limits: CodeLimits;
  readonly resourceLimits?: ResourceLimits;
}

export interface ThreadRunOptions {
  readonly files: CodeFiles;
  /** Ends the run, and with it the thread: it rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** What is done with what the thread says next. */
interface Listener {
  message(message: ThreadMessage): void;
  exit(): void;
}

/** A thread that runs code, one run at a time. One in which code hit a limit, or was ended, is not used again. */
export class CodeThread {
  private listener: Listener = { message: () => undefined, exit: () => undefined };
  private ready: Promise<boolean>;
  private cause: unknown;
  private isGone = false;

  private constructor(
    private readonly worker: Worker,
    private readonly limits: CodeLimits,
  ) {
    worker.on('message', (message: ThreadMessage) => this.listener.message(message));
    // An error can overtake messages that came before it; the exit that follows does not.
    worker.on('error', (error) => (this.cause = error));
    worker.on('exit', () => {
      this.isGone = true;
      this.listener.exit();
    });
    this.ready = this.prepared();
  }

  /** Rejects with the signal's reason, or if no machine for code can be made. */
  static async start(
    { limits, resourceLimits = threadLimits }: ThreadOptions,
    signal: AbortSignal,
  ): Promise<CodeThread> {
    const input: ThreadInput = { wasm: await compiledQuickjs(), limits };
    signal.throwIfAborted();
    const worker = new Worker(workerFile, { workerData: input, resourceLimits, execArgv: [], env: {} });
    const thread = new CodeThread(worker, limits);
    const abort = () => void thread.end();
    signal.addEventListener('abort', abort);
    const started = await thread.ready;
    signal.removeEventListener('abort', abort);
    if (signal.aborted) await thread.end();
    signal.throwIfAborted();
    if (!started) throw new Error('The thread for code did not start.', { cause: thread.cause });
    return thread;
  }

  /** Whatever the code does is an outcome. When this settles, the thread has ended or makes ready for the next run. */
  async run(code: string, options: ThreadRunOptions): Promise<CodeOutcome> {
    const output = OutputBuffer.allocate(this.limits.outputBytes);
    let goesOn = false;
    try {
      const ended = await this.endOf(code, output.shared, options);
      ({ goesOn } = ended);
      return outcomeOf(ended.end, output.text());
    } finally {
      if (!goesOn) await this.end();
    }
  }

  /** Whether it can run code again, once that is known. */
  async isReady(): Promise<boolean> {
    return (await this.ready) && !this.isGone;
  }

  get hasEnded(): boolean {
    return this.isGone;
  }

  /** Until it is woken it does not keep the process alive. */
  rest(): void {
    this.worker.unref();
  }

  wake(): void {
    this.worker.ref();
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  /** Resolves when the machine for the next run is there; false if the thread has ended instead. */
  private prepared(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => void this.end(), startMs);
      const settle = (isReady: boolean) => {
        clearTimeout(timer);
        resolve(isReady);
      };
      this.listener = { message: () => settle(true), exit: () => settle(false) };
    });
  }

  private endOf(
    code: string,
    output: SharedArrayBuffer,
    { files, signal }: ThreadRunOptions,
  ): Promise<Ended> {
    const { limits } = this;
    return new Promise((resolve, reject) => {
      let isOver = false;
      let isAnswering = false;
      const over = (ready: Promise<boolean>, settle: () => void) => {
        isOver = true;
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.ready = ready;
        settle();
      };
      const lost = Promise.resolve(false);
      const abort = () => over(lost, () => reject(signal.reason));
      const fail = (error: string) => over(lost, () => resolve({ end: { ok: false, error }, goesOn: false }));
      const late = () =>
        fail(`The code ran for longer than ${formatMs(limits.wallMs)}, its waits for files included.`);
      const timer = setTimeout(late, limits.wallMs);
      const take = async (message: ThreadMessage) => {
        if (isOver) return;
        if (message.kind === 'ended') {
          // Before anything else is heard of the thread.
          return over(message.goesOn ? this.prepared() : lost, () => resolve(message));
        }
        if (message.kind !== 'call') return;
        // Each could bring a whole file into memory; the thread refuses it, unless code got hold of the thread.
        if (isAnswering) return fail(broken);
        isAnswering = true;
        const json = await answerFileCall(message.call, files, limits.fileBytes);
        isAnswering = false;
        if (!isOver) this.tell({ kind: 'answer', number: message.number, json });
      };
      this.listener = { message: (message) => void take(message), exit: () => isOver || fail(broken) };
      signal.addEventListener('abort', abort);
      this.tell({ kind: 'run', code, output });
    });
  }

  private tell(order: ThreadOrder): void {
    this.worker.postMessage(order);
  }
}

type Ended = Pick<Extract<ThreadMessage, { kind: 'ended' }>, 'end' | 'goesOn'>;

function outcomeOf(end: MachineEnd, output: string): CodeOutcome {
  if (!end.ok) return failed(end.error, output);
  return { ok: true, result: JSON.parse(end.json) as unknown, output };
}
