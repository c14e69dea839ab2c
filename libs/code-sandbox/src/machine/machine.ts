import releaseVariant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type CustomizeVariantOptions,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { maxResultDepth, formatBytes, formatMs, stackBytes, type CodeLimits } from '../code-limits.js';
import { jsonDepth } from './json-depth.js';
import { MachineMemory } from './machine-memory.js';
import { codeFileName, prelude } from './prelude.js';
import type { CompiledWasm, FileCall, FileMethod, MachineEnd } from './thread-messages.js';

// Node imports the ES module of the package; its types are those of the other one.
const variant = releaseVariant as unknown as QuickJSSyncVariant;

/** Jobs that run between two looks at the clock; the interrupt handler looks within a job. */
const jobsAtOnce = 100;

/** What the machine asks of the thread around it. */
export interface MachineHost {
  print(text: string): void;
  /** One at a time: the next comes after `answer`, which takes the number that this gives. */
  call(call: FileCall): number;
}

/** One QuickJS in a WebAssembly instance of its own, for one run. Never disposed: its memory is wiped, or goes with its thread. */
export class Machine {
  private readonly runtime: QuickJSRuntime;
  private readonly context: QuickJSContext;
  private readonly sandbox: QuickJSHandle;
  private running: QuickJSHandle | undefined;
  /** The number of the call that is under way. */
  private waitsFor: number | undefined;
  private usedMs = 0;
  private enteredAt = 0;
  private interrupted = false;
  private overflowed = false;

  private constructor(
    quickjs: QuickJSWASMModule,
    private readonly memory: MachineMemory,
    private readonly limits: CodeLimits,
    private readonly host: MachineHost,
  ) {
    this.runtime = quickjs.newRuntime({
      memoryLimitBytes: limits.memoryBytes,
      maxStackSizeBytes: stackBytes,
    });
    this.context = this.runtime.newContext();
    this.sandbox = this.makeSandbox();
    this.runtime.setInterruptHandler(() => this.isOverTime());
  }

  /** The memory is all zero. */
  static async make(
    wasm: CompiledWasm,
    memory: MachineMemory,
    limits: CodeLimits,
    host: MachineHost,
  ): Promise<Machine> {
    const silent = { print: () => undefined, printErr: () => undefined };
    const options = { wasmModule: wasm, wasmMemory: memory.wasm, emscriptenModule: silent };
    const quickjs = await newQuickJSWASMModuleFromVariant(
      newVariant(variant, options as CustomizeVariantOptions),
    );
    return new Machine(quickjs, memory, limits, host);
  }

  /** Whether it ended without hitting a limit, and nothing of it is under way: then another may be made in its place. */
  get isIntact(): boolean {
    const hitLimit = this.interrupted || this.overflowed || this.memory.wasRefused;
    return !hitLimit && this.waitsFor === undefined && !this.memory.hasGrown;
  }

  /** Runs until the code has ended or waits for a file; then `answer` goes on. */
  start(code: string): MachineEnd | undefined {
    return this.timed(() => {
      const compiled = this.compile(code);
      if (compiled.error) return this.failure(compiled.error);
      const main = compiled.value;
      const started = this.memory.asCode(() => this.context.callFunction(main, this.context.undefined));
      if (started.error) return this.failure(started.error);
      this.running = started.value;
      return this.advance();
    });
  }

  /** What is an expression gives its value; anything else is the body of a function. */
  private compile(code: string) {
    // On one line with the code's first, so that lines are counted as its writer counts them.
    const compiled = this.evaluate(`(async () => (${withoutEnd(code)}\n))`);
    return compiled.error ? this.evaluate(`(async () => {${code}\n})`) : compiled;
  }

  private evaluate(source: string) {
    return this.memory.asCode(() => this.context.evalCode(source, codeFileName));
  }

  /** Takes the JSON of the answer to the call that is under way; the answer to any other is nothing to this machine. */
  answer(number: number, json: string): MachineEnd | undefined {
    if (number !== this.waitsFor) return undefined;
    return this.timed(() => {
      this.waitsFor = undefined;
      const text = this.context.newString(json);
      const settled = this.callSandbox('settle', text);
      text.dispose();
      if (settled.error) return this.failure(settled.error);
      return this.advance();
    });
  }

  /** Only time inside the machine counts, and what it has used up stays used up, whatever the code catches. */
  private timed(work: () => MachineEnd | undefined): MachineEnd | undefined {
    this.enteredAt = performance.now();
    const end = work();
    this.usedMs += performance.now() - this.enteredAt;
    if (!this.interrupted) return end;
    return { ok: false, error: `The code computed for longer than ${formatMs(this.limits.cpuMs)}.` };
  }

  private isOverTime(): boolean {
    this.interrupted ||= this.usedMs + performance.now() - this.enteredAt > this.limits.cpuMs;
    return this.interrupted;
  }

  private advance(): MachineEnd | undefined {
    for (let done = 1; done > 0 && !this.isOverTime();) {
      const jobs = this.memory.asCode(() => this.runtime.executePendingJobs(jobsAtOnce));
      if (jobs.error) return this.failure(jobs.error);
      done = jobs.value;
    }
    // Calls that the code did not await are made all the same.
    if (this.interrupted || this.waitsFor !== undefined) return undefined;
    const state = this.context.getPromiseState(this.running!);
    if (state.type === 'rejected') return this.failure(state.error);
    if (state.type === 'fulfilled') return this.success(state.value);
    return this.ended('The code waits for something that never happens.');
  }

  private success(value: QuickJSHandle): MachineEnd {
    const result = this.memory.asCode(() => this.callSandbox('resultOf', value));
    if (result.error) return this.failure(result.error);
    const json = this.context.getString(result.value);
    const problem = this.problemOf(json);
    return problem === undefined ? { ok: true, json } : { ok: false, error: `The result is ${problem}.` };
  }

  private problemOf(json: string): string | undefined {
    const { resultBytes } = this.limits;
    if (Buffer.byteLength(json) > resultBytes)
      return `too large: it may have ${formatBytes(resultBytes)} of JSON`;
    if (jsonDepth(json) > maxResultDepth) return `nested too deeply: it may have ${maxResultDepth} levels`;
    return undefined;
  }

  private failure(error: QuickJSHandle): MachineEnd {
    const described = this.callSandbox('describe', error);
    if (described.error) return this.ended('The code threw something that cannot be shown.');
    const text = JSON.parse(this.context.getString(described.value)) as string;
    if (text.startsWith('InternalError: out of memory')) return this.outOfMemory();
    this.overflowed ||= text.includes('stack overflow');
    // Where no memory is left for the error, null is thrown in its place.
    return text === 'Thrown: null' ? this.ended(text) : { ok: false, error: text };
  }

  /** An end that can also come of a lack of memory. */
  private ended(error: string): MachineEnd {
    return this.memory.wasRefused ? this.outOfMemory() : { ok: false, error };
  }

  private outOfMemory(): MachineEnd {
    const most = formatBytes(this.limits.memoryBytes);
    return { ok: false, error: `The code ran out of memory: it may use ${most}.` };
  }

  private callSandbox(name: 'resultOf' | 'describe' | 'settle', argument: QuickJSHandle) {
    const method = this.context.getProp(this.sandbox, name);
    return this.context.callFunction(method, this.context.undefined, argument);
  }

  private makeSandbox(): QuickJSHandle {
    const { context, limits, memory, host } = this;
    const textOf = (handle: QuickJSHandle) =>
      JSON.parse(memory.asHost(() => context.getString(handle))) as string;
    const send = context.newFunction('send', (method, ...args) => {
      // Code can settle what the prelude waits for, so its order is not relied upon. An error made here would call
      // setters of the code's.
      if (this.waitsFor !== undefined) return context.false;
      this.waitsFor = host.call({ method: context.getString(method) as FileMethod, args: args.map(textOf) });
      return context.true;
    });
    const print = context.newFunction('print', (text) => host.print(textOf(text)));
    const numbers = [limits.outputBytes, limits.resultBytes, limits.fileBytes, limits.fileCalls];
    const make = context.unwrapResult(context.evalCode(prelude, 'sandbox.js'));
    const made = context.callFunction(make, context.undefined, [
      send,
      print,
      ...numbers.map((number) => context.newNumber(number)),
    ]);
    return context.unwrapResult(made);
  }
}

/** Without the semicolons at the end of a statement. */
function withoutEnd(code: string): string {
  let end = code.length;
  while (end > 0 && /[\s;]/.test(code[end - 1]!)) end -= 1;
  return code.slice(0, end);
}
