import type { SubscriptionEntity } from './subscription.entity.js';

export interface SubscriptionChanges {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly enabled?: boolean;
}

type Changed = Pick<
  SubscriptionEntity,
  'url' | 'events' | 'enabled' | 'disabled_reason' | 'consecutive_failures' | 'failing_since'
>;

/** Applies a change to a webhook. Enabling it or changing its URL resets the failures. */
export function changed(present: Changed, { url, events, enabled }: SubscriptionChanges): Changed {
  const isEnabled = enabled ?? present.enabled;
  const renewed = (isEnabled && !present.enabled) || (url !== undefined && url !== present.url);
  return {
    url: url ?? present.url,
    events: events ? [...events] : present.events,
    enabled: isEnabled,
    disabled_reason: isEnabled ? null : present.enabled ? 'Disabled by the team.' : present.disabled_reason,
    consecutive_failures: renewed ? 0 : present.consecutive_failures,
    failing_since: renewed ? null : present.failing_since,
  };
}
