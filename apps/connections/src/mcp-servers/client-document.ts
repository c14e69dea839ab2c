import { getOAuthClientMetadata, oauthCallback } from '@aos/contracts';

/** Where authorization servers read who we are; it is our client id there. */
export function documentUrl(baseUrl: string): string {
  return baseUrl + getOAuthClientMetadata.path;
}

/** Where browsers come back to. */
export function callbackUrl(baseUrl: string): string {
  return baseUrl + oauthCallback.path;
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
