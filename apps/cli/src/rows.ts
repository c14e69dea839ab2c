/** The page size of most lists. */
const largestPage = 100;

/** How many rows to ask for at a time, where so many are wanted. */
export function pageOf(most: number): number {
  return Math.max(1, Math.min(most, largestPage));
}

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
