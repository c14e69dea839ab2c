import { sendEndpointQueue } from '@aos/contracts';
import { egressSettings } from '@aos/egress';
import { commaList, milliseconds, wholeNumber } from '@aos/platform';
import { serviceConfigSchema } from '@aos/service';
import { z } from 'zod';

const maxRetryDelayMs = 7 * 24 * 3_600_000;

const maxQueues = Math.floor(sendEndpointQueue.concurrency * 0.9);

/** At once, then after 5 s, 30 s, 2 min, 10 min, 1 h, 3 h, 6 h, 12 h, 24 h and 24 h: about 70 hours. */
const defaultSchedule = '0,5000,30000,120000,600000,3600000,10800000,21600000,43200000,86400000,86400000';

const scheduleSchema = commaList.pipe(z.array(wholeNumber(0, maxRetryDelayMs)).min(1).max(50));

/** Settings of this service beside those of every service. */
export const webhookDispatcherConfigSchema = serviceConfigSchema.extend({
  ...egressSettings,
  /** The wait before each attempt, the first included. */
  WEBHOOK_RETRY_SCHEDULE_MS: z.string().default(defaultSchedule).pipe(scheduleSchema),
  /** For a whole attempt, and for the connection alone. */
  WEBHOOK_TIMEOUT_MS: milliseconds.default(10_000),
  WEBHOOK_CONNECT_TIMEOUT_MS: milliseconds.default(3_000),
  /** Requests that one receiver has open at once, at most. */
  WEBHOOK_CONCURRENCY: wholeNumber(1, 1_000).default(16),
  /** Receivers that a process sends to at once; the rest of its workers takes what is new and puts it in its place. */
  WEBHOOK_ENDPOINT_QUEUES: wholeNumber(1, maxQueues).default(maxQueues),
  /** After how many hours of nothing but failures a webhook is disabled. */
  WEBHOOK_DISABLE_AFTER_HOURS: wholeNumber(1, 24 * 365).default(5 * 24),
  /** How long events and deliveries are kept. */
  WEBHOOK_RETENTION_DAYS: wholeNumber(4, 3_650).default(30),
  /** A queue whose process died is taken over after this time. */
  WEBHOOK_LEASE_MS: wholeNumber(1_000, 600_000).default(15_000),
});

export type WebhookDispatcherConfig = z.output<typeof webhookDispatcherConfigSchema>;

/** Injection token of the settings. */
export const WebhookSettings = Symbol('WebhookSettings');
