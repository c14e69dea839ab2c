import { BrowserLauncher, findChromium } from '@aos/browser';
import { parseAllowedRanges } from '@aos/egress';
import { Logger } from '@aos/platform';
import { Module } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../../runs.config.js';
import { SandboxesModule } from '../../files/sandboxes.module.js';
import { BrowserRecord } from './browser-record.js';
import { BrowserHandlers } from './browser.handlers.js';
import { BrowserRepository } from './browser.repository.js';
import { Browsers, Launcher } from './browsers.js';

/** The browsers of runs, and what they showed. */
@Module({
  imports: [SandboxesModule],
  controllers: [BrowserHandlers],
  providers: [
    { provide: Launcher, inject: [RunsSettings, Logger], useFactory: launcherOf },
    Browsers,
    BrowserRecord,
    BrowserRepository,
  ],
  exports: [Browsers, BrowserRecord, Launcher],
})
export class BrowserModule {}

/** Where no Chromium is installed, runs have no browser. */
async function launcherOf(config: RunsConfig, logger: Logger): Promise<BrowserLauncher | undefined> {
  const { CHROMIUM_PATH: configured, PATH: path } = config;
  const executablePath = await findChromium({ configured, path });
  if (executablePath === undefined) return undefined;
  const allowed = parseAllowedRanges(config.EGRESS_ALLOW_CIDRS);
  const sandbox = config.BROWSER_SANDBOX === 'on';
  if (!sandbox) logger.warn('BROWSER_SANDBOX is off: a page that breaks out of Chromium has the machine');
  return new BrowserLauncher({
    ...{ executablePath, egress: { allowed }, path, sandbox },
    onFailedStart: (err) => logger.warn({ err }, 'the browser of a run did not start'),
  });
}
