import type { Webhook } from '@aos/contracts';
import type { SubscriptionEntity } from './subscription.entity.js';

export function toWebhook(row: SubscriptionEntity): Webhook {
  return {
    id: row.id,
    subscriptionId: row.id,
    team_id: row.team_id,
    url: row.url,
    events: row.events,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    last_delivery_at: row.last_delivery_at?.toISOString() ?? null,
    consecutive_failures: row.consecutive_failures,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
