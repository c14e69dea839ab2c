import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CompiledWasm } from './thread-messages.js';

// Node has it; the types of Node 20 do not.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<CompiledWasm> };

let compiled: Promise<CompiledWasm> | undefined;

/** Compiled once for a process, off its thread: threads that compile for themselves start and end 100 ms later. */
export function compiledQuickjs(): Promise<CompiledWasm> {
  return (compiled ??= compile().catch((cause: unknown) => {
    compiled = undefined;
    throw new Error('QuickJS could not be compiled.', { cause });
  }));
}

async function compile(): Promise<CompiledWasm> {
  const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  return WebAssembly.compile(await readFile(path));
}
