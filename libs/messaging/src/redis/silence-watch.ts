import type { Redis } from 'ioredis';

const askEveryMs = 5_000;
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
  const asking = setInterval(() => {
    if (redis.status !== 'ready' || patience) return;
    patience = setTimeout(() => redis.disconnect(true), patienceMs).unref();
    redis.ping().then(heard, heard);
  }, askEveryMs).unref();
  redis.on('close', heard);
  redis.once('end', () => clearInterval(asking));
}
