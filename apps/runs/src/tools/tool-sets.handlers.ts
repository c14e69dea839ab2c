import { describeToolSets, type Plugin } from '@aos/contracts';
import { HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { ToolSets } from './tool-sets.js';

@Controller()
export class ToolSetsHandlers {
  constructor(private readonly sets: ToolSets) {}

  @HandlesInternal(describeToolSets)
  async describeToolSets(): Promise<{ tool_sets: Plugin[] }> {
    return { tool_sets: this.sets.describe() };
  }
}
