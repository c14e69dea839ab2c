// The main file of a thread that runs code, one run after the other, each in a machine of its own. What breaks a machine
// ends the thread, and the host tells of it.
import { parentPort, workerData } from 'node:worker_threads';
import { Machine } from './machine.js';
import { MachineMemory } from './machine-memory.js';
import { OutputBuffer } from './output-buffer.js';
import type { MachineEnd, ThreadInput, ThreadMessage, ThreadOrder } from './thread-messages.js';

// The glue around QuickJS could set a timer, which would go off in the memory of the next machine. QuickJS sets none.
Reflect.deleteProperty(globalThis, 'setTimeout');

const { wasm, limits } = workerData as ThreadInput;
const port = parentPort!;
const say = (message: ThreadMessage) => port.postMessage(message);
const memory = new MachineMemory(limits);
let machine: Machine | undefined;
let output: OutputBuffer | undefined;
let calls = 0;

async function prepare(): Promise<void> {
  memory.wipe();
  machine = await Machine.make(wasm, memory, limits, {
    print: (text) => output?.append(text),
    call: (call) => {
      calls += 1;
      say({ kind: 'call', number: calls, call });
      return calls;
    },
  });
  say({ kind: 'ready' });
}

async function tell(end: MachineEnd | undefined): Promise<void> {
  if (!end) return;
  const goesOn = machine!.isIntact;
  machine = output = undefined;
  say({ kind: 'ended', end, goesOn });
  if (goesOn) await prepare();
}

port.on('message', (order: ThreadOrder) => {
  if (order.kind === 'answer') return tell(machine?.answer(order.number, order.json));
  output = new OutputBuffer(order.output);
  return tell(machine!.start(order.code));
});
await prepare();
