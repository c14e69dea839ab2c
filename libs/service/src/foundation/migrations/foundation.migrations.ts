import { EventEpochs1760000005000 } from './event-epochs.migration.js';
import { Foundation1760000000000 } from './foundation.migration.js';
import { LogStatistics1760000009500 } from './log-statistics.migration.js';
import { OneLog1760000009400 } from './one-log.migration.js';

/** Every service has these beside its own. */
export const foundationMigrations = [
  Foundation1760000000000,
  EventEpochs1760000005000,
  OneLog1760000009400,
  LogStatistics1760000009500,
] as const;
