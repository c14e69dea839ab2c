import { retrying, type Tool, type ToolContext, TransientToolError } from '@aos/agent-runtime';
import { Entitlements } from '@aos/entitlements';
import { Injectable } from '@nestjs/common';
import { RunRefused } from '../../run-core/starts/new-run.js';
import { RunConnections } from '../../tools/connections/run-connections.js';
import type { ArtifactEntity } from '../artifact.entities.js';
import { ArtifactConnectionsRepository } from '../connections/artifact-connections.service.js';
import { TeamFigures } from '../team-figures/team-figures.js';
import type { Lease } from './artifact-leases.js';
import { type CallResult, PageFailure, type PageSources } from './page-maker.js';

@Injectable()
export class ArtifactSources {
  constructor(
    private readonly figures: TeamFigures,
    private readonly connections: ArtifactConnectionsRepository,
    private readonly opening: RunConnections,
    private readonly entitlements: Entitlements,
  ) {}

  /** Connections are open while the work is done. Throws `PageFailure` for those that cannot be used. */
  async with<T>(
    artifact: ArtifactEntity,
    { token }: Lease,
    signal: AbortSignal,
    work: (sources: PageSources) => Promise<T>,
  ): Promise<T> {
    const { id, team_id: teamId } = artifact;
    const figures = (days: number) => this.figures.of(teamId, days);
    const ids = await this.connections.idsOf(id);
    if (ids.length === 0) return work({ figures, tools: [], call: async (name) => noTool(name) });
    const user = { id, team_id: teamId };
    try {
      const { features } = await this.entitlements.planOf(teamId);
      const opened = await this.opening.openFor(user, ids, { features, signal, keep: async () => notKept });
      try {
        const tools = new Map((await opened.begin()).map((tool) => [tool.name, tool]));
        // An artifact is no run: what a tool may know of one is known of it.
        const context = {
          runId: id,
          teamId,
          agentId: id,
          sandboxId: id,
          fence: token,
          humanInTheLoop: false,
        };
        let calls = 0;
        return await work({
          figures,
          tools: [...tools.values()],
          call: (name, args) => {
            calls += 1;
            return call(tools.get(name), name, args, { ...context, callId: `call-${calls}`, signal });
          },
        });
      } finally {
        this.opening.close(opened);
      }
    } catch (error) {
      if (error instanceof RunRefused) throw new PageFailure('connection_unavailable', error.reason.message);
      throw error;
    }
  }
}

const notKept = { error: 'Files and pictures are not kept for artifacts.' };

function noTool(name: string): CallResult {
  return { error: `There is no tool named ${name}.` };
}

/** Only what may be repeated, since a page is made anew after a crash, and by itself while nobody looks. */
async function call(
  tool: Tool | undefined,
  name: string,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<CallResult> {
  if (!tool) return noTool(name);
  if (!tool.isRepeatable(args)) {
    return {
      error: `${name} may change something. Artifacts only read: tools that say so, and GET requests.`,
    };
  }
  try {
    const isTransient = (error: unknown) => error instanceof TransientToolError;
    const outcome = await retrying(() => tool.execute(args, context), {
      isTransient,
      signal: context.signal,
    });
    if (outcome.kind === 'result') return { result: outcome.result };
    return { error: outcome.kind === 'error' ? outcome.message : `${name} asks for more than can be given.` };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TransientToolError) return { error: error.message };
    throw error;
  }
}
