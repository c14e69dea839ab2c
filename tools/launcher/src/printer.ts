import type { Credentials } from './credentials.js';

/** What a person reads when the program is ready. */
export function welcome(credentials: Credentials, credentialsFile: string, seconds: number): string {
  const { base_url, team_id, api_key } = credentials;
  return `
Ready after ${seconds.toFixed(1)} s.

  Base address  ${base_url}
  Docs          ${base_url}/docs
  Team          ${team_id}
  API key       ${api_key}

These are also in ${credentialsFile}. A first request:

  curl ${base_url}/v2/teams/${team_id} -H 'Authorization: Bearer ${api_key}'

Ctrl-C stops everything.
`;
}
