import { loadServiceConfig, startHelper } from '@aos/service';
import { ConfigError } from '@aos/platform';
import { chosenDays } from './record-keeping/chosen-days.js';
import { Recount } from './record-keeping/recount.js';
import { service } from './service.js';

// Counts the sums of chosen days again: `node recount.main.js 2026-07-01 [2026-07-31]`, with the environment of billing.
const exitUsage = 64;
const exitConfig = 78;

void recount().then((code) => (process.exitCode = code));

async function recount(): Promise<number> {
  const days = chosenDays(process.argv.slice(2));
  if (!days) return say('Name a day, or the first and the last of several: 2026-07-01 2026-07-31', exitUsage);
  const config = configOf();
  if (!config) return exitConfig;
  const helper = await startHelper(service, config);
  try {
    const sums = helper.app.get(Recount, { strict: false });
    const first = await sums.firstComplete();
    if (first === undefined) return say('There are no records to count from.', 1);
    if (days.from < first) {
      return say(`Records are complete from ${first} on; sums of days before stay as they are.`, 1);
    }
    const mended = await sums.days(days);
    return say(mended === 0 ? 'Every sum is as its records say.' : `Wrong sums, now mended: ${mended}.`, 0);
  } finally {
    await helper.close();
  }
}

function configOf() {
  try {
    // It must not stand in the way of the service's own ports.
    const environment = { ...process.env, HEALTH_PORT: undefined, LOG_LEVEL: 'error' };
    return loadServiceConfig(service.name, service.configSchema, environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.message, exitConfig);
    return undefined;
  }
}

function say(text: string, code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return code;
}
