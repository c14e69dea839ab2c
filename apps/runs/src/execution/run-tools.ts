import { humanTools, ToolBox, type Tool } from '@aos/agent-runtime';
import type { builtinToolSets, CopiedBuild } from '@aos/contracts';
import { Injectable } from '@nestjs/common';

type ToolSetName = (typeof builtinToolSets)[number];

/** An agent can always ask a person and settle its case; `plugins` chooses among the others. */
const always: readonly string[] = ['human', 'cases'] satisfies ToolSetName[];

/** The tools that a build may use: the sets it names, or every one of this installation. */
@Injectable()
export class RunTools {
  private readonly sets: Partial<Record<ToolSetName, readonly Tool[]>> = { human: humanTools() };

  of({ config }: CopiedBuild): ToolBox {
    const { plugins } = config.data;
    const wanted = Object.entries(this.sets).filter(
      ([name]) => plugins === undefined || plugins.includes(name) || always.includes(name),
    );
    return new ToolBox(wanted.flatMap(([, tools]) => tools));
  }
}
