import { isIP } from 'node:net';
import { isForbiddenAddress, parseAllowedRanges } from '@aos/egress';
import type { ClientAuthMethod } from '../providers/provider.js';

/** Stored metadata of an authorization server (RFC 8414). A type, since the library accepts no interface. */
export type AuthorizationServer = {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint?: string;
  /** Whether it tells who it is when the browser comes back (RFC 9207). */
  readonly authorization_response_iss_parameter_supported?: boolean;
};

/** The client registration of this service. */
export interface OAuthClient {
  readonly client_id: string;
  readonly auth: ClientAuthMethod;
  /** Never stored or logged in the clear. */
  readonly secret?: string;
}

/** The public part of the tokens of a connection. */
export interface OAuthSetup {
  readonly server: AuthorizationServer;
  readonly client_id: string;
  readonly client_auth: ClientAuthMethod;
  readonly redirect_uri: string;
  /** The server that tokens are for (RFC 8707); native providers take no such thing. */
  readonly resource?: string;
  /** When a registered client ends; absent for never. */
  readonly client_expires_at?: string;
}

/** One that is known everywhere by the same id, that of its document, must be told who answers. */
export function isSharedClient({ client_id: id }: Pick<OAuthSetup, 'client_id'>): boolean {
  return id.startsWith('https://');
}

const noneAllowed = parseAllowedRanges('');

/**
 * Whether codes and tokens may travel to an address: over TLS, or to an address that is not of the public internet and
 * that the operator has opened to the guard.
 */
export function isSecureAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol === 'https:') return true;
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return protocol === 'http:' && isIP(address) !== 0 && isForbiddenAddress(address, noneAllowed);
}
