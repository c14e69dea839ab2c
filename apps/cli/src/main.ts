import { exitCodeOf } from './exit-codes.js';
import { programOf } from './program.js';
import { terminalPrompts } from './prompts.js';
import { failureText } from './failure-text.js';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('Interrupted.')));
process.once('SIGTERM', () => stop.abort(new Error('Interrupted.')));
// A reader that has enough, such as `head`, ends the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const program = programOf({
  environment: process.env,
  write: (text) => process.stdout.write(text),
  writeRemark: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  prompts: process.stdin.isTTY ? terminalPrompts(process.stdin, process.stderr) : undefined,
  signal: stop.signal,
});

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${failureText(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
