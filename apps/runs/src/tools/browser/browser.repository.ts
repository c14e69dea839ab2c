import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { BrowserPageEntity, BrowserSessionEntity, ScreenshotEntity } from './browser.entities.js';
import { savePages } from './browser.sql.js';

@Injectable()
export class BrowserRepository {
  constructor(private readonly transactions: Transactions) {}

  async insertSession(session: Omit<BrowserSessionEntity, 'started_at'>): Promise<void> {
    await this.transactions
      .repository(BrowserSessionEntity)
      .insert({ ...session, started_at: () => 'now()' });
  }

  findSession(teamId: string, sessionId: string): Promise<BrowserSessionEntity | null> {
    return this.transactions.repository(BrowserSessionEntity).findOneBy({ id: sessionId, team_id: teamId });
  }

  /** The pages as they are now; those that are known already are brought up to date. */
  async savePages(pages: readonly BrowserPageEntity[]): Promise<void> {
    await this.transactions.query(savePages, [JSON.stringify(pages)]);
  }

  /** When the browser is closed, so are its pages. */
  async closePages(sessionId: string): Promise<void> {
    await this.transactions
      .repository(BrowserPageEntity)
      .update({ session_id: sessionId, closed_at: IsNull() }, { closed_at: () => 'now()' });
  }

  pagesOf(sessionId: string): Promise<BrowserPageEntity[]> {
    return this.transactions
      .repository(BrowserPageEntity)
      .find({ where: { session_id: sessionId }, order: { opened_at: 'ASC', id: 'ASC' } });
  }

  async insertScreenshot(shot: ScreenshotEntity): Promise<void> {
    await this.transactions.repository(ScreenshotEntity).insert(shot);
  }

  screenshotsOf(runId: string): Promise<ScreenshotEntity[]> {
    return this.transactions
      .repository(ScreenshotEntity)
      .find({ where: { run_id: runId }, order: { id: 'ASC' } });
  }
}
