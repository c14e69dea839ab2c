import type { Operation, Principal } from '@aos/contracts';
import type { FileLinks } from '@aos/file-store';

/** A client with a good address may do what it is for, for the team and on the account of the credential that made it. */
export function linkPrincipal(
  operation: Operation,
  token: string | undefined,
  links: FileLinks,
): Principal | undefined {
  const kind = operation.kind === 'binary' ? 'download' : 'upload';
  const link = links.open(kind, token ?? '');
  if (!link) return undefined;
  const { teamId, credentialId = `link:${teamId}` } = link;
  return { kind: 'link', credentialId, teamId, scopes: [operation.scope] };
}

/** An anonymous caller, of no team; one client address is one caller. */
export function anonymousAt(address: string, { scope }: Operation): Principal {
  return { kind: 'anonymous', credentialId: `address:${address}`, teamId: null, scopes: [scope] };
}
