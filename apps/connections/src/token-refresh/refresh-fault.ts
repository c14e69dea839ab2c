import type { ConnectionEntity } from '../connections/connection.entity.js';
import { triedForMs } from '../connections/token-times.js';
import { OAuthFailure } from '../oauth-client/oauth-failure.js';

/**
 * Where the fault of a refresh in vain lies. passing: it may be better later · client: the provider does not take the one
 * that the operator has configured · replacement: it takes that one, and the consent was given to another · consent: it
 * is worth nothing any more.
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
