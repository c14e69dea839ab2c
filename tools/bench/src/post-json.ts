/** Where requests go, and who makes them. */
export interface Access {
  readonly base: string;
  readonly key: string;
}

/** A POST that succeeds. */
export async function postJson<Answer>({ base, key }: Access, path: string, body: object): Promise<Answer> {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}
