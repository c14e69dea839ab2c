import type { Caller } from '@aos/contracts';
import type { Viewer } from '../artifacts.repository.js';

/** The caller of an operation as artifacts know it. */
export function viewerOf({ teamId, principal }: Pick<Caller<'team'>, 'teamId' | 'principal'>): Viewer {
  return { teamId, credentialId: principal.credentialId };
}
