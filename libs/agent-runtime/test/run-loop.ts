import { runSteps, type LoopEnd, type StepLoopOptions } from '../src/loop/step-loop.js';
import { ScriptedModel } from '../src/scripted/scripted-model.js';
import { humanTools } from '../src/tools/human-tools.js';
import type { Tool } from '../src/tools/tool.js';
import { ToolBox } from '../src/tools/tool-box.js';
import { MemoryJournal, type MemoryJournalOptions } from './memory-journal.js';

/** Gives its arguments back. */
export const echo: Tool = toolOf('echo', async (args) => ({ kind: 'result', result: args }));

export function toolOf(name: string, execute: Tool['execute'], isRepeatable = true): Tool {
  const isInstant = false;
  return { name, description: '', parameters: {}, isInstant, isRepeatable: () => isRepeatable, execute };
}

export function carryOn(
  journal: MemoryJournal,
  options: Partial<StepLoopOptions> & Pick<StepLoopOptions, 'model'>,
): Promise<LoopEnd> {
  return runSteps({
    state: options.state ?? journal.load(),
    tools: new ToolBox([...humanTools(), echo]),
    journal,
    signal: new AbortController().signal,
    contextChars: Infinity,
    memoryBytes: 2 ** 20,
    ...options,
  });
}

export function steps(...lines: string[]): string {
  return ['```steps', ...lines, '```'].join('\n');
}

/** A run of a script. */
export class ScriptedRun {
  readonly journal: MemoryJournal;
  private readonly model: ScriptedModel;

  constructor(lines: readonly string[], options: MemoryJournalOptions = {}) {
    const procedure = steps(...lines);
    this.journal = new MemoryJournal({ procedure, ...options });
    this.model = new ScriptedModel(procedure);
  }

  carryOn(options: Partial<StepLoopOptions> = {}): Promise<LoopEnd> {
    return carryOn(this.journal, { model: this.model, ...options });
  }
}
