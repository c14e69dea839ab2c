import { isQuiet } from '@aos/platform';
import type { Redis } from 'ioredis';

const askEveryMs = 5_000;
/** A quiet process asks less often: who is there first after that waits a little longer. */
const quietTimes = 4;
const patienceMs = 10_000;

/**
 * Reconnects when Redis does not answer a PING: a peer that vanished without a word (a node that lost power, a
 * firewall that forgot the connection) would otherwise be waited for until TCP gives up, many minutes later.
 */
export function watchForSilence(redis: Redis): void {
  let patience: NodeJS.Timeout | undefined;
  const heard = () => {
    clearTimeout(patience);
    patience = undefined;
  };
  let turns = 0;
  const asking = setInterval(() => {
    turns += 1;
    if (redis.status !== 'ready' || patience) return;
    if (isQuiet() && turns % quietTimes !== 0) return;
    patience = setTimeout(() => redis.disconnect(true), patienceMs).unref();
    redis.ping().then(heard, heard);
  }, askEveryMs).unref();
  redis.on('close', heard);
  redis.once('end', () => clearInterval(asking));
}
