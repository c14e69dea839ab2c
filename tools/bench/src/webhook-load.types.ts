export interface WebhookLoad {
  readonly environment: Record<string, string>;
  readonly base: string;
  readonly team: string;
  readonly key: string;
  /** Receivers that each get every event. */
  readonly receivers: number;
  /** One more that never answers. */
  readonly hanging: boolean;
  /** Events recorded together, and how long to wait until the next such batch. */
  readonly batch: number;
  readonly everyMs: number;
  readonly events: number;
}

export interface WebhookLoadResult {
  /** Deliveries that arrived, each at one of the receivers, from the first commit to the last arrival. */
  readonly perSecond: number;
  /** From the commit of an event to the arrival of its delivery. */
  readonly p50Ms: number;
  readonly p95Ms: number;
}
