import { getOAuthClientMetadata, oauthCallback, oauthCallbackOfConnection } from '@aos/contracts';

/** The URL of the client ID metadata document, which is the client ID. */
export function documentUrl(baseUrl: string): string {
  return baseUrl + getOAuthClientMetadata.path;
}

/** The redirect address of one connection, or the shared one that is registered with providers and named in the document. */
export function callbackUrl(baseUrl: string, connectionId?: string): string {
  if (connectionId === undefined) return baseUrl + oauthCallback.path;
  return baseUrl + oauthCallbackOfConnection.path.replace('{connection_id}', connectionId);
}

/** Our client id metadata document. */
export function clientDocument(baseUrl: string) {
  return {
    client_id: documentUrl(baseUrl),
    client_name: 'Agent Operations Service',
    client_uri: baseUrl,
    redirect_uris: [callbackUrl(baseUrl)],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
