import { fileURLToPath } from 'node:url';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import { formatMs, threadLimits, type CodeLimits } from './code-limits.js';
import { failed, type CodeOutcome } from './code-outcome.js';
import { compiledQuickjs } from './compiled-quickjs.js';
import { answerFileCall, type CodeFiles } from './file-calls.js';
import { OutputBuffer } from './output-buffer.js';
import type { MachineEnd, ThreadInput, ThreadMessage } from './thread-messages.js';

// A thread runs compiled code. Where this file is run from its source, as in tests, that is the build beside it.
const workerFile = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../dist/sandbox-worker.js' : './sandbox-worker.js',
    import.meta.url,
  ),
);

/** A thread starts within 0.1 s; a machine that cannot do it in this time has other troubles. */
const startMs = 30_000;

const broken =
  'The code broke the machine it ran in, as code can that takes much memory or nests very deeply. It was ended.';

export interface ThreadOptions {
  readonly files: CodeFiles;
  readonly limits: CodeLimits;
  /** Ends the run: it rejects with the signal's reason. */
  readonly signal: AbortSignal;
  readonly resourceLimits?: ResourceLimits;
}

/** Runs code in a thread of its own, which has ended when this settles. */
export async function runInThread(code: string, options: ThreadOptions): Promise<CodeOutcome> {
  const wasm = await compiledQuickjs();
  options.signal.throwIfAborted();
  const output = OutputBuffer.allocate(options.limits.outputBytes);
  const input: ThreadInput = { wasm, code, limits: options.limits, output: output.shared };
  const worker = new Worker(workerFile, {
    workerData: input,
    resourceLimits: options.resourceLimits ?? threadLimits,
    execArgv: [],
    env: {},
  });
  try {
    return outcomeOf(await endOf(worker, options), output.text());
  } finally {
    await worker.terminate();
  }
}

function endOf(worker: Worker, { files, limits, signal }: ThreadOptions): Promise<MachineEnd> {
  return new Promise((resolve, reject) => {
    let isReady = false;
    let isOver = false;
    const over = <Value>(settle: (value: Value) => void, value: Value) => {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      settle(value);
    };
    const abort = () => over(reject, signal.reason);
    let cause: unknown;
    // Until the thread is ready, nothing of the code has run: that is no outcome of the code.
    const fail = (error: string) =>
      isReady
        ? over(resolve, { ok: false, error })
        : over(reject, new Error('The thread for code did not start.', { cause }));
    const late = () =>
      fail(`The code ran for longer than ${formatMs(limits.wallMs)}, its waits for files included.`);
    let timer = setTimeout(late, startMs);

    const take = async (message: ThreadMessage) => {
      if (isOver) return;
      if (message.kind === 'ended') return over(resolve, message.end);
      if (message.kind === 'ready') {
        isReady = true;
        clearTimeout(timer);
        timer = setTimeout(late, limits.wallMs);
        return;
      }
      const json = await answerFileCall(message.call, files, limits.fileBytes);
      if (!isOver) worker.postMessage(json);
    };
    worker.on('message', (message: ThreadMessage) => void take(message));
    // An error can overtake messages that came before it; the exit that follows does not.
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => fail(broken));
    signal.addEventListener('abort', abort);
  });
}

function outcomeOf(end: MachineEnd, output: string): CodeOutcome {
  if (!end.ok) return failed(end.error, output);
  return { ok: true, result: JSON.parse(end.json) as unknown, output };
}
