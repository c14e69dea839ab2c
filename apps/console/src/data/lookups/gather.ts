/** Lists that a person looks through have an end; what is beyond it is found by searching. */
export const maxRows = 1_000;

export async function gather<T>(rows: AsyncIterable<T>, most = maxRows): Promise<T[]> {
  const gathered: T[] = [];
  for await (const row of rows) {
    gathered.push(row);
    if (gathered.length >= most) break;
  }
  return gathered;
}
