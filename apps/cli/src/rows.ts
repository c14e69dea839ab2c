/** The first rows of a list. */
export async function rowsOf<Row>(rows: AsyncIterable<Row>, most: number): Promise<Row[]> {
  const taken: Row[] = [];
  if (most <= 0) return taken;
  for await (const row of rows) {
    taken.push(row);
    if (taken.length >= most) break;
  }
  return taken;
}
