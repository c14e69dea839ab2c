import type { CopiedBuild, OpenConnection, PlanFeatures } from '@aos/contracts';
import { createEgress, type Egress, parseAllowedRanges } from '@aos/egress';
import { featureMissing } from '@aos/entitlements';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunFiles } from '../../files/run-files.js';
import { RunRefused } from '../../run-core/starts/new-run.js';
import { type RunsConfig, RunsSettings } from '../../runs.config.js';
import { ConnectionProblem, unavailable } from './call-failure.js';
import { ConnectedRun, type RunConnection } from './connected-run.js';
import { ConnectionAccess } from './connection-access.js';
import { ConnectionCredentials, connectionFetch } from './connection-credentials.js';
import { keepFile, type KeepFile } from './mcp-result.js';
import { maxCallMs, McpSession, mcpTool } from './mcp-tools.js';
import { nativeTool } from './native-tools.js';
import { SecretValues } from './secret-values.js';
import { slugOf } from './tool-names.js';

/** Images arrive as text in it. */
const maxAnswerBytes = 16 * 1024 * 1024;

interface OpeningOptions {
  readonly features: PlanFeatures;
  readonly signal: AbortSignal;
  readonly keep: KeepFile;
}

interface UsingRun {
  readonly id: string;
  readonly team_id: string;
}

/** Gives runs the connections that their builds name. Runs of builds that name none do not come here. */
@Injectable()
export class RunConnections {
  private readonly egress: Egress;
  private readonly closing = new Set<Promise<void>>();

  constructor(
    private readonly access: ConnectionAccess,
    private readonly files: RunFiles,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    private readonly logger: Logger,
    shutdown: Shutdown,
  ) {
    this.egress = createEgress({
      allowed: parseAllowedRanges(settings.EGRESS_ALLOW_CIDRS),
      // Calls have clocks of their own; a stream of notifications is opened again when it ends.
      timeoutMs: Math.max(maxCallMs, settings.CONNECTION_CALL_TIMEOUT_MS) + 60_000,
      maxBytes: maxAnswerBytes,
    });
    shutdown.add('close', 'connections of runs', async () => {
      await Promise.all(this.closing);
      await this.egress.close();
    });
  }

  /**
   * Opens the connections of a build for a run, which is `close`d when the run leaves the process. Throws `RunRefused`
   * for those that cannot be used.
   */
  open(
    run: UsingRun,
    { config }: CopiedBuild,
    { features, signal }: { readonly features: PlanFeatures; readonly signal: AbortSignal },
  ): Promise<ConnectedRun> {
    const keep: KeepFile = (working, folder, file) => keepFile(this.files, working, folder, file);
    return this.openFor(run, [...new Set(config.data.connections)], { features, signal, keep });
  }

  /** The same for something else that has connections, which says what becomes of files. */
  async openFor(
    user: UsingRun,
    ids: readonly string[],
    { features, signal, keep }: OpeningOptions,
  ): Promise<ConnectedRun> {
    const opened = await this.opened(user, ids, signal);
    const isMcp = opened.some(({ type }) => type === 'custom_mcp');
    if (isMcp && !features.mcp) throw new RunRefused(unavailable(featureMissing('mcp')));
    const parts = { secrets: new SecretValues(), signal, keep };
    const connections = opened.map((connection) => this.connectionOf(user, connection, parts));
    return new ConnectedRun({ runId: user.id, connections, logger: this.logger, signal });
  }

  /** In the background: what a server has to be told at the end keeps no worker. */
  close(connected: ConnectedRun): void {
    const closing = connected
      .close()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'closing the connections of a run failed'))
      .finally(() => this.closing.delete(closing));
    this.closing.add(closing);
  }

  private async opened(
    { team_id: teamId }: UsingRun,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<OpenConnection[]> {
    try {
      return await this.access.open(ids, { teamId, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ConnectionProblem) throw new RunRefused(unavailable(error.message));
      throw error;
    }
  }

  private connectionOf(
    { team_id: teamId }: UsingRun,
    connection: OpenConnection,
    {
      secrets,
      signal,
      keep,
    }: { readonly secrets: SecretValues; readonly signal: AbortSignal; readonly keep: KeepFile },
  ): RunConnection {
    const { access, egress } = this;
    const credentials = new ConnectionCredentials(connection, { access, teamId, secrets, signal });
    if (connection.type === 'native') {
      return { credentials, toTool: (name) => nativeTool(name, { credentials, egress, secrets }) };
    }
    const session = new McpSession({
      teamId,
      url: connection.server_url,
      fetch: connectionFetch(egress, credentials),
    });
    const timeoutMs = this.settings.CONNECTION_CALL_TIMEOUT_MS;
    const parts = { session, keep, secrets, folder: slugOf(connection.name), timeoutMs };
    return { credentials, session, toTool: (name, tool) => mcpTool(name, tool!, parts) };
  }
}
