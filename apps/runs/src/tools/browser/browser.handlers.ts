import {
  getAgentRunScreenshotTimeline,
  getRunScreenshotTimeline,
  listBrowserSessionPages,
  notFound,
  type OperationResponse,
  type Req,
} from '@aos/contracts';
import { FileLinks } from '@aos/file-store';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { RunsRepository, type FoundRun } from '../../run-core/runs.repository.js';
import { BrowserRepository } from './browser.repository.js';

type Timeline = OperationResponse<typeof getRunScreenshotTimeline>;

@Controller()
export class BrowserHandlers {
  constructor(
    private readonly browser: BrowserRepository,
    private readonly runs: RunsRepository,
    private readonly links: FileLinks,
  ) {}

  @Handles(listBrowserSessionPages)
  async listBrowserSessionPages({ teamId, params }: Req<typeof listBrowserSessionPages>) {
    const session = await this.browser.findSession(teamId, params.session_id);
    if (!session) throw notFound('The session');
    const pages = await this.browser.pagesOf(session.id);
    return {
      session_id: session.id,
      run_id: session.run_id,
      pages: pages.map(({ id, url, title, opened_at: openedAt, closed_at: closedAt }) => ({
        page_id: id,
        url,
        title,
        opened_at: openedAt.toISOString(),
        closed_at: closedAt?.toISOString() ?? null,
      })),
    };
  }

  @Handles(getRunScreenshotTimeline)
  async getRunScreenshotTimeline({
    teamId,
    params,
  }: Req<typeof getRunScreenshotTimeline>): Promise<Timeline> {
    return this.timeline(await this.runs.get(teamId, params.run_id));
  }

  @Handles(getAgentRunScreenshotTimeline)
  async getAgentRunScreenshotTimeline({
    teamId,
    params,
  }: Req<typeof getAgentRunScreenshotTimeline>): Promise<Timeline> {
    return this.timeline(await this.runs.getOfAgent(teamId, params.agent_id, params.run_id));
  }

  private async timeline(run: FoundRun): Promise<Timeline> {
    const shots = await this.browser.screenshotsOf(run.id);
    const { team_id: teamId, sandbox_id: sandboxId } = run;
    return {
      run_id: run.id,
      screenshots: shots.map(({ run_id: _runId, captured_at: capturedAt, ...shot }) => ({
        ...shot,
        captured_at: capturedAt.toISOString(),
        download_url: this.links.url('download', { teamId, sandboxId, path: shot.file_path }),
      })),
      total: shots.length,
    };
  }
}
