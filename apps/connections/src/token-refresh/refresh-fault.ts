import type { ConnectionEntity } from '../connections/connection.entity.js';
import { triedForMs } from '../connections/token-times.js';
import { OAuthFailure } from '../oauth-client/oauth-failure.js';

/**
 * The cause of a failed refresh. passing: transient · client: the provider refuses the configured client · replacement:
 * the consent was given to another client · consent: the consent is revoked.
 */
export type RefreshFault = 'passing' | 'client' | 'replacement' | 'consent';

/** A setting that is wrong is noticed and put back within it; the consents to the client before count again then. */
const graceMs = 24 * 3_600_000;

export function refreshFault(
  { type, refresh_failures: failures }: Pick<ConnectionEntity, 'type' | 'refresh_failures'>,
  error: Error,
  isReplaced: boolean,
): RefreshFault {
  if (!(error instanceof OAuthFailure) || error.kind !== 'refused') return 'passing';
  // A client of the operator's that is refused says nothing of the consent: once the setting is right, it counts again.
  if (type === 'native' && error.isOfClient) return 'client';
  return isReplaced && triedForMs(failures) < graceMs ? 'replacement' : 'consent';
}
