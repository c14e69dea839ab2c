import { getOAuthClientMetadata, oauthCallback, oauthCallbackOfConnection } from '@aos/contracts';

/** Where authorization servers read who we are; it is our client id there. */
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
