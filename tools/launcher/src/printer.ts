import type { Credentials } from './credentials.js';

type Shown = Credentials & { readonly console: string };

/** What a person reads when the program is ready. */
export function welcome(shown: Shown, credentialsFile: string, seconds: number): string {
  const { base_url, team_id, api_key, console: link } = shown;
  return `
Ready after ${seconds.toFixed(1)} s.

  Console       ${link}
  Base address  ${base_url}
  Docs          ${base_url}/docs
  Team          ${team_id}
  API key       ${api_key}

The link to the console signs you in, once, within 15 minutes and on this machine; later the key does.
Team and key are also in ${credentialsFile}. A first request:

  curl ${base_url}/v2/teams/${team_id} -H 'Authorization: Bearer ${api_key}'

Ctrl-C stops everything.
`;
}
