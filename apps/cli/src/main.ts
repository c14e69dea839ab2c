import { createRequire } from 'node:module';
import { exitCodeOf } from './exit-codes.js';
import { endingSignals, Interruption, type EndingSignal } from './interruption.js';
import { programOf } from './program.js';
import { terminalPrompts } from './prompts.js';
import { failureText } from './failure-text.js';

const stop = new AbortController();
const interrupt = (name: EndingSignal) => stop.abort(new Interruption(name));
// Once: a second one ends the process by itself, whatever it does.
for (const name of endingSignals) process.once(name, interrupt);
// A reader that has enough, such as `head`, ends the command.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

const program = programOf({
  version,
  environment: process.env,
  out: process.stdout,
  writeRemark: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  prompts: process.stdin.isTTY
    ? terminalPrompts(process.stdin, process.stderr, () => interrupt('SIGINT'))
    : undefined,
  signal: stop.signal,
});

try {
  await program.parseAsync();
  // One that follows something for ever has ended well by then, and is interrupted all the same.
  stop.signal.throwIfAborted();
} catch (error) {
  // Whatever broke because of it: who interrupts a command knows why it ended.
  const cause: unknown = stop.signal.aborted ? stop.signal.reason : error;
  if (!stop.signal.aborted) process.stderr.write(`${failureText(cause)}\n`);
  process.exitCode = exitCodeOf(cause);
}
