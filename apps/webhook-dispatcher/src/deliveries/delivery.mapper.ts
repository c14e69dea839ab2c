import type { Delivery, DeliveryAttempt } from '@aos/contracts';
import type { DeliveryAttemptEntity, DeliveryEntity } from './delivery.entities.js';

export function toDelivery(row: DeliveryEntity): Delivery {
  return {
    id: row.event_id,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
  };
}

export function toAttempt(row: DeliveryAttemptEntity): DeliveryAttempt {
  return {
    number: row.number,
    attempted_at: row.attempted_at.toISOString(),
    status_code: row.status_code,
    duration_ms: row.duration_ms,
    error: row.error,
    response_body: row.response_body,
  };
}
