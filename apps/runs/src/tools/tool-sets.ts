import { humanTools, type Tool, ToolBox } from '@aos/agent-runtime';
import { CodeSandbox } from '@aos/code-sandbox';
import {
  type builtinToolSets,
  type CopiedBuild,
  describeToolSets,
  type PlanFeatures,
  type Plugin,
} from '@aos/contracts';
import { createEgress, parseAllowedRanges } from '@aos/egress';
import { featureMissing, type PlanFeature } from '@aos/entitlements';
import { HandlesInternal, ServiceClient } from '@aos/messaging';
import { Shutdown } from '@aos/platform';
import { Controller, Inject, Injectable } from '@nestjs/common';
import { RunFiles } from '../files/run-files.js';
import { SubRunsService } from '../lifecycle/sub-runs/sub-runs.service.js';
import { type RunsConfig, RunsSettings } from '../runs.config.js';
import { agentTools } from './agent-tools.js';
import { BrowserRecord } from './browser/browser-record.js';
import { browserTools } from './browser/browser-tools.js';
import { Browsers } from './browser/browsers.js';
import { caseTools } from './cases/case-tools.js';
import { CaseWork } from './cases/case-work.js';
import { codeTools } from './code-tools.js';
import { fileTools } from './file-tools.js';
import { httpTools } from './http-tools.js';
import { memoryTools } from './memory-tools.js';

type ToolSetName = (typeof builtinToolSets)[number];

interface ToolSet {
  readonly name: ToolSetName;
  readonly title: string;
  readonly description: string;
  readonly tools: readonly Tool[];
  /** Whether this installation has it. */
  readonly available: boolean;
  /** The part of the product that a plan must have for it. */
  readonly feature?: PlanFeature;
}

/** An agent can always ask a person and settle its case; `plugins` chooses among the others. */
const always: readonly string[] = ['human', 'cases'] satisfies ToolSetName[];

/** The built-in tools: what each set has, and which of them a build may use. */
@Injectable()
export class ToolSets {
  private readonly sets: readonly ToolSet[];

  constructor(
    files: RunFiles,
    services: ServiceClient,
    subRuns: SubRunsService,
    caseWork: CaseWork,
    browsers: Browsers,
    browserRecord: BrowserRecord,
    @Inject(RunsSettings) settings: RunsConfig,
    shutdown: Shutdown,
  ) {
    const code = new CodeSandbox();
    shutdown.add('close', 'code sandbox', () => code.close());
    const egress = createEgress({ allowed: parseAllowedRanges(settings.EGRESS_ALLOW_CIDRS) });
    shutdown.add('close', 'outgoing HTTP of tools', () => egress.close());
    this.sets = [
      {
        name: 'human',
        title: 'People',
        description: 'Asks people, and waits for their answers and approvals.',
        tools: humanTools(),
        available: true,
      },
      {
        name: 'files',
        title: 'Files',
        description: 'Reads and writes files in the sandbox of the run.',
        tools: fileTools(files),
        available: true,
      },
      {
        name: 'memory',
        title: 'Memory',
        description: 'Remembers things from one run of the agent to the next.',
        tools: memoryTools(services),
        available: true,
      },
      {
        name: 'code',
        title: 'Code',
        description: 'Runs JavaScript in a machine of its own, without a network.',
        tools: codeTools(code, files),
        available: true,
        feature: 'code',
      },
      {
        name: 'http',
        title: 'HTTP',
        description: 'Calls addresses of the public internet.',
        tools: httpTools(egress),
        available: true,
      },
      {
        name: 'browser',
        title: 'Browser',
        description: 'Uses a real browser, and shows afterwards what it saw. Needs Chromium on the machine.',
        tools: browserTools(browsers, browserRecord),
        available: browsers.available,
        feature: 'browser',
      },
      {
        name: 'cases',
        title: 'Cases',
        description: 'Settles the case of the run, and makes new ones.',
        tools: caseTools(caseWork),
        available: true,
      },
      {
        name: 'agents',
        title: 'Agents',
        description: 'Gives tasks to other agents of the team.',
        tools: agentTools(subRuns),
        available: true,
      },
    ];
  }

  /** The sets that a build names, or every one of this installation, as far as the plan goes; and what else the run has. */
  of({ config }: CopiedBuild, features: PlanFeatures, more: readonly Tool[] = []): ToolBox {
    const { plugins } = config.data;
    const wanted = this.sets.filter(
      ({ name, available }) =>
        available && (plugins === undefined || plugins.includes(name) || always.includes(name)),
    );
    const allowed = wanted.filter(({ feature }) => !feature || features[feature]);
    const withheld = wanted.flatMap(({ feature, tools }) =>
      feature && !features[feature] ? tools.map(({ name }) => [name, featureMissing(feature)] as const) : [],
    );
    return new ToolBox([...allowed.flatMap(({ tools }) => tools), ...more], new Map(withheld));
  }

  describe(): Plugin[] {
    return this.sets.map(({ name, title, description, tools, available }) => ({
      name,
      type: 'tool',
      title,
      description,
      tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
      configured: available,
    }));
  }
}

@Controller()
export class ToolSetsHandlers {
  constructor(private readonly sets: ToolSets) {}

  @HandlesInternal(describeToolSets)
  async describeToolSets(): Promise<{ tool_sets: Plugin[] }> {
    return { tool_sets: this.sets.describe() };
  }
}
