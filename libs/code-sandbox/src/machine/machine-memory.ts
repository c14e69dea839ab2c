import type { CodeLimits } from '../code-limits.js';

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

// Node has it; the types of Node 20 do not.
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => WasmMemory;
};

const pageBytes = 64 * 1024;
/** QuickJS asks for as much to begin with. */
const initialBytes = 16 * 1024 * 1024;
const zeros = Buffer.alloc(pageBytes);

/**
 * The memory of a machine, and after it of the next. QuickJS has a limit of its own, but compiled to WebAssembly it does not know the size of
 * what it has allocated and refuses only what is too large at once. So it is the memory itself that does not grow
 * while code runs. The host may still make it grow, for texts that go in and out and for the last words of the code:
 * QuickJS does not look whether there was memory for those.
 */
export class MachineMemory {
  readonly wasm: WasmMemory;
  /** The code has asked for more than it may have. QuickJS can then even lose that a promise has settled. */
  wasRefused = false;
  private isCode = false;

  constructor({ memoryBytes, fileBytes }: CodeLimits) {
    // The JSON of a file can be six times as long, and is there twice.
    const maxBytes = Math.max(initialBytes, memoryBytes) + 12 * fileBytes + initialBytes;
    this.wasm = new WebAssembly.Memory({
      initial: initialBytes / pageBytes,
      maximum: Math.ceil(maxBytes / pageBytes),
    });
    const grow = this.wasm.grow.bind(this.wasm);
    this.wasm.grow = (pages) => {
      if (this.isCode && this.wasm.buffer.byteLength + pages * pageBytes > memoryBytes) {
        this.wasRefused = true;
        throw new RangeError('The code may not have more memory');
      }
      return grow(pages);
    };
  }

  /** It does not shrink again, so that the next machine would begin with more than it may have. */
  get hasGrown(): boolean {
    return this.wasm.buffer.byteLength > initialBytes;
  }

  /**
   * Makes it as it was when it was new. All of it is looked at, because code that broke QuickJS could have written
   * anywhere; only what is not zero is written to, so that what no machine has used stays without memory of the system.
   * Clearing a new one takes 0.7 ms; a new one for each machine would cost 5 ms, most of it in the garbage collector.
   */
  wipe(): void {
    const bytes = Buffer.from(this.wasm.buffer);
    for (let at = 0; at < bytes.length; at += pageBytes) {
      const page = bytes.subarray(at, at + pageBytes);
      if (!page.equals(zeros)) page.fill(0);
    }
  }

  asCode<Value>(work: () => Value): Value {
    return this.as(true, work);
  }

  asHost<Value>(work: () => Value): Value {
    return this.as(false, work);
  }

  private as<Value>(isCode: boolean, work: () => Value): Value {
    const before = this.isCode;
    this.isCode = isCode;
    try {
      return work();
    } finally {
      this.isCode = before;
    }
  }
}
