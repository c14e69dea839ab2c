import { BackgroundLoops } from '@aos/background';
import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { moveCounts } from '../deliveries/delivery-counts.sql.js';
import { WebhookSettings, type WebhookDispatcherConfig } from '../webhook-dispatcher.config.js';

const everyMs = 10 * 60_000;
const batchSize = 1_000;

/** The oldest first, by the index: what is not removed is not read, wherever updates have moved rows. */
export const oldestDeliveries = `
  SELECT ctid FROM delivery WHERE created_at < now() - make_interval(days => $1) ORDER BY created_at LIMIT $2`;

/** An event goes a day after its deliveries, so that whatever is to be sent is there. $1: days, $2: how many. */
export const oldestEvents = `
  SELECT ctid FROM feed_event WHERE created_at < now() - make_interval(days => $1 + 1) ORDER BY created_at LIMIT $2`;

const pruneEvents = `
  WITH gone AS (
    DELETE FROM feed_event WHERE ctid = ANY (ARRAY(${oldestEvents})) RETURNING 1)
  SELECT count(*) FROM gone`;

const pruneDeliveries = `
  WITH gone AS (
    DELETE FROM delivery WHERE ctid = ANY (ARRAY(${oldestDeliveries}))
    RETURNING target_id, event_id, status, url),
  attempts AS (
    DELETE FROM delivery_attempt a USING gone WHERE a.target_id = gone.target_id AND a.event_id = gone.event_id),
  counted AS (${moveCounts('SELECT target_id, status, -1 AS change FROM gone WHERE url IS NULL')})
  SELECT count(*) FROM gone`;

/** Lanes of callbacks come with each host; of deleted webhooks nothing is left to send. */
const pruneLanes = `
  WITH gone AS (
    DELETE FROM delivery_lane WHERE id IN (
      SELECT l.id FROM delivery_lane l LEFT JOIN webhook_subscription s ON s.id = l.subscription_id
       WHERE s.id IS NULL AND l.due_at IS NULL AND l.lease_token IS NULL AND l.used_at < now() - interval '1 day'
       LIMIT $2 FOR UPDATE OF l SKIP LOCKED)
    AND $1 > 0 RETURNING 1)
  SELECT count(*) FROM gone`;

/** A former secret that signs no more is not kept: its key would count as one in use. */
const forgetFormerSecrets = `
  WITH gone AS (
    UPDATE webhook_secret SET previous_sealed = NULL, previous_expires_at = NULL
     WHERE team_id IN (SELECT team_id FROM webhook_secret WHERE previous_expires_at <= now() LIMIT $2)
       AND previous_expires_at <= now() AND $1 > 0 RETURNING 1)
  SELECT count(*) FROM gone`;

/** Removes what is older than it is to be kept, in small batches. */
@Injectable()
export class Retention {
  constructor(
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
    @Inject(WebhookSettings) private readonly settings: WebhookDispatcherConfig,
  ) {
    loops.add({
      name: 'the removal of old events',
      idleMs: everyMs,
      work: () => this.prune(),
    });
  }

  /** True if there may be more. */
  async prune(): Promise<boolean> {
    let most = 0;
    for (const sql of [pruneDeliveries, pruneEvents, pruneLanes, forgetFormerSecrets]) {
      const [row] = await this.transactions.query<{ count: string }>(sql, [
        this.settings.WEBHOOK_RETENTION_DAYS,
        batchSize,
      ]);
      most = Math.max(most, Number(row!.count));
    }
    return most === batchSize;
  }
}
