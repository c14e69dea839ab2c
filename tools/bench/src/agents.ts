/** An agent with a procedure, and a model if it is not the built-in one. */
export async function createAgent(
  { base, team, key }: { base: string; team: string; key: string },
  input: string,
  model?: string,
): Promise<string> {
  const config = { data: { input, ...(model ? { models: { agent: { model } } } : {}) } };
  const response = await fetch(`${base}/v2/teams/${team}/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', build: { config } }),
  });
  return ((await response.json()) as { agent_id: string }).agent_id;
}

export function procedureOf(steps: readonly string[]): string {
  return ['```steps', ...steps, '```'].join('\n');
}
