// The main file of a thread that runs code once. What breaks the machine ends the thread, and the host tells of it.
import { parentPort, workerData } from 'node:worker_threads';
import { Machine } from './machine.js';
import { OutputBuffer } from './output-buffer.js';
import type { MachineEnd, ThreadInput, ThreadMessage } from './thread-messages.js';

const { wasm, code, limits, output } = workerData as ThreadInput;
const port = parentPort!;
const buffer = new OutputBuffer(output);
const say = (message: ThreadMessage) => port.postMessage(message);
const tell = (end: MachineEnd | undefined) => end && say({ kind: 'ended', end });

const machine = await Machine.make(wasm, limits, {
  print: (text) => buffer.append(text),
  call: (call) => say({ kind: 'call', call }),
});
port.on('message', (json: string) => tell(machine.answer(json)));
say({ kind: 'ready' });
tell(machine.start(code));
