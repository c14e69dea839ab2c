import type { CodeLimits } from '../code-limits.js';

/** A `WebAssembly.Module`, which the types of Node 20 do not know. */
export type CompiledWasm = { readonly [compiled]: true };
declare const compiled: unique symbol;

/** What a thread is started with. */
export interface ThreadInput {
  readonly wasm: CompiledWasm;
  readonly limits: CodeLimits;
}

/** What the thread is told: to run code, which takes the machine that is ready, or what became of a call. */
export type ThreadOrder =
  | { readonly kind: 'run'; readonly code: string; readonly output: SharedArrayBuffer }
  /** The number of the call, and the JSON of a FileAnswer. */
  | { readonly kind: 'answer'; readonly number: number; readonly json: string };

export type FileMethod = 'read' | 'write' | 'list' | 'remove';

export interface FileCall {
  readonly method: FileMethod;
  /** `path` and `content`, as far as the code gave them. */
  readonly args: readonly string[];
}

/** JSON, as everything that goes in or out of the machine. */
export type FileAnswer =
  | { readonly ok: true; readonly value?: unknown }
  | { readonly ok: false; readonly error: string };

/** How the machine ended; a result is still JSON. */
export type MachineEnd =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly error: string };

/** What the thread says. */
export type ThreadMessage =
  /** A machine that no code has run in is there. */
  | { readonly kind: 'ready' }
  /** The next comes after the answer. No two calls of a thread have the same number, whichever machine they are of. */
  | { readonly kind: 'call'; readonly number: number; readonly call: FileCall }
  /** Unless it has hit a limit, the thread goes on to make the next machine. */
  | { readonly kind: 'ended'; readonly end: MachineEnd; readonly goesOn: boolean };
