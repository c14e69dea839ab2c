import { z } from 'zod';
import { idSchema, timestampSchema } from './common.js';
import { named } from './named.js';

const maxUrlLength = 2_048;

/** Checks the form of the URL only; the SSRF guard checks the address. */
export const webhookUrlSchema = z.string().min(1).max(maxUrlLength);

export const webhookSchema = named(
  'Webhook',
  z.object({
    id: idSchema,
    subscriptionId: idSchema,
    team_id: idSchema,
    url: z.string(),
    events: z.array(z.string()),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable(),
    /** When a receiver last took a delivery. */
    last_delivery_at: timestampSchema.nullable(),
    consecutive_failures: z.int(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  }),
);

export type Webhook = z.output<typeof webhookSchema>;

/**
 * delivered: the receiver took it · dead: it did not, up to the last try · skipped: its webhook was disabled ·
 * dropped: its webhook was deleted.
 */
export const deliveryStatuses = ['pending', 'delivered', 'dead', 'skipped', 'dropped'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryStatusSchema = named('DeliveryStatus', z.enum(deliveryStatuses));

/** Its id is that of the event. */
export const deliverySchema = named(
  'WebhookDelivery',
  z.object({
    id: idSchema,
    event: z.string(),
    status: deliveryStatusSchema,
    attempts: z.int(),
    next_attempt_at: timestampSchema.nullable(),
    /** The time of the event. */
    created_at: timestampSchema,
    delivered_at: timestampSchema.nullable(),
  }),
);

export type Delivery = z.output<typeof deliverySchema>;

export const deliveryAttemptSchema = named(
  'WebhookDeliveryAttempt',
  z.object({
    number: z.int(),
    attempted_at: timestampSchema,
    status_code: z.int().nullable(),
    duration_ms: z.int(),
    error: z.string().nullable(),
    /** The first KiB of the answer. */
    response_body: z.string().nullable(),
  }),
);

export type DeliveryAttempt = z.output<typeof deliveryAttemptSchema>;
