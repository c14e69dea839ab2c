import type { CodeLimits } from './code-limits.js';

/** A `WebAssembly.Module`, which the types of Node 20 do not know. */
export type CompiledWasm = { readonly [compiled]: true };
declare const compiled: unique symbol;

/** What the thread of a run is started with. */
export interface ThreadInput {
  readonly wasm: CompiledWasm;
  readonly code: string;
  readonly limits: CodeLimits;
  readonly output: SharedArrayBuffer;
}

export type FileMethod = 'read' | 'write' | 'list' | 'remove';

export interface FileCall {
  readonly method: FileMethod;
  /** `path` and `content`, as far as the code gave them. */
  readonly args: readonly string[];
}

/** JSON, as everything that goes in or out of the machine. */
export type FileAnswer =
  { readonly ok: true; readonly value?: unknown } | { readonly ok: false; readonly error: string };

/** How the machine ended; a result is still JSON. */
export type MachineEnd =
  { readonly ok: true; readonly json: string } | { readonly ok: false; readonly error: string };

/** What the thread says. The answer to a call is the JSON of a FileAnswer. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'call'; readonly call: FileCall }
  | { readonly kind: 'ended'; readonly end: MachineEnd };
