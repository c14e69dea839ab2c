/** A team of its own, with a key that may do everything. */
export async function createTeam(base: string, adminKey: string): Promise<{ team: string; key: string }> {
  const response = await fetch(`${base}/v2/teams`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}` },
  });
  const { team, api_key: apiKey } = (await response.json()) as {
    team: { id: string };
    api_key: { key: string };
  };
  return { team: team.id, key: apiKey.key };
}
