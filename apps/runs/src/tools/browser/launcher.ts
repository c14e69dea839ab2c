import { BrowserLauncher, findChromium } from '@aos/browser';
import { parseAllowedRanges } from '@aos/egress';
import { Logger } from '@aos/platform';
import type { FactoryProvider } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../../runs.config.js';

/** Injection token of the BrowserLauncher; undefined where no Chromium is installed. */
export const Launcher = Symbol('Launcher');

export const launcherProvider: FactoryProvider = {
  provide: Launcher,
  inject: [RunsSettings, Logger],
  useFactory: createLauncher,
};

async function createLauncher(config: RunsConfig, logger: Logger): Promise<BrowserLauncher | undefined> {
  const { CHROMIUM_PATH: configured, PATH: path } = config;
  const executablePath = await findChromium({ configured, path });
  if (executablePath === undefined) return undefined;
  const allowed = parseAllowedRanges(config.EGRESS_ALLOW_CIDRS);
  const sandbox = config.BROWSER_SANDBOX === 'on';
  if (!sandbox) logger.warn('BROWSER_SANDBOX is off: a page that breaks out of Chromium has the machine');
  return new BrowserLauncher({
    ...{ executablePath, egress: { allowed }, path, sandbox },
    onFailedStart: (err) => logger.warn({ err }, 'starting the browser of a run failed'),
  });
}
