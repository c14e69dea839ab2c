import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { BrowserPageEntity, BrowserSessionEntity, ScreenshotEntity } from './browser.entities.js';

@Injectable()
export class BrowserRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  async insertSession(session: Omit<BrowserSessionEntity, 'started_at'>): Promise<void> {
    await this.transactions.query(
      'INSERT INTO browser_session (id, run_id, team_id, started_at) VALUES ($1, $2, $3, now())',
      [session.id, session.run_id, session.team_id],
    );
  }

  async findSession(teamId: string, sessionId: string): Promise<BrowserSessionEntity | undefined> {
    const [row] = await this.transactions.query<BrowserSessionEntity>(
      'SELECT * FROM browser_session WHERE id = $2 AND team_id = $1',
      [teamId, sessionId],
    );
    return row;
  }

  /** The pages as they are now; those that are known already are brought up to date. */
  async savePages(pages: readonly BrowserPageEntity[]): Promise<void> {
    await this.transactions.query(
      `INSERT INTO browser_page (id, session_id, url, title, opened_at, closed_at)
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS p(id uuid, session_id uuid, url text, title text,
         opened_at timestamptz(3), closed_at timestamptz(3))
       ON CONFLICT (id) DO UPDATE SET url = excluded.url, title = excluded.title,
         closed_at = excluded.closed_at`,
      [JSON.stringify(pages)],
    );
  }

  /** When the browser is closed, so are its pages. */
  async closePages(sessionId: string): Promise<void> {
    await this.transactions.query(
      'UPDATE browser_page SET closed_at = now() WHERE session_id = $1 AND closed_at IS NULL',
      [sessionId],
    );
  }

  async pagesOf(sessionId: string): Promise<BrowserPageEntity[]> {
    return this.transactions.query<BrowserPageEntity>(
      'SELECT * FROM browser_page WHERE session_id = $1 ORDER BY opened_at, id',
      [sessionId],
    );
  }

  async insertScreenshot(shot: ScreenshotEntity): Promise<void> {
    await this.transactions.query(
      `INSERT INTO screenshot (id, run_id, session_id, page_id, url, title, action, captured_at, width, height,
                               file_path)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        shot.id,
        shot.run_id,
        shot.session_id,
        shot.page_id,
        shot.url,
        shot.title,
        shot.action,
        shot.captured_at,
        shot.width,
        shot.height,
        shot.file_path,
      ],
    );
  }

  async screenshotsOf(runId: string): Promise<ScreenshotEntity[]> {
    return this.transactions.query<ScreenshotEntity>(
      'SELECT * FROM screenshot WHERE run_id = $1 ORDER BY id',
      [runId],
    );
  }
}
