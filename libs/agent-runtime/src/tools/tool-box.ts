import type { ToolCall, ToolDescription } from '../models/model.js';
import type { Tool, ToolContext, ToolOutcome } from './tool.js';

/** The tools of a run, by name. */
export class ToolBox {
  private readonly tools = new Map<string, Tool>();

  constructor(
    tools: readonly Tool[],
    /** Tools that this run may not use, and why; a model is not told of them unless it calls one. */
    private readonly withheld: ReadonlyMap<string, string> = new Map(),
  ) {
    for (const tool of tools) {
      if (this.tools.has(tool.name)) throw new Error(`There are two tools named ${tool.name}.`);
      this.tools.set(tool.name, tool);
    }
  }

  descriptions(): ToolDescription[] {
    return [...this.tools.values()].map(({ name, description, parameters }) => {
      return { name, description, parameters };
    });
  }

  find(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  /** A tool that is not there is the model's mistake, and it is told so. */
  async execute(call: ToolCall, context: ToolContext): Promise<ToolOutcome> {
    const tool = this.find(call.name);
    if (tool) return tool.execute(call.arguments, context);
    const reason = this.withheld.get(call.name);
    if (reason !== undefined) return { kind: 'error', message: reason };
    const names = [...this.tools.keys()].join(', ') || 'none';
    return { kind: 'error', message: `There is no tool named ${call.name}. The tools are: ${names}.` };
  }
}
