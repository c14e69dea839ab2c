/** Which row of a list has the focus after a key; undefined if the key is none of the list's. */
export function rowAfter(key: string, row: number, total: number, pageRows: number): number | undefined {
  const page = Math.max(1, pageRows);
  const moved = new Map([
    ['ArrowDown', row + 1],
    ['ArrowUp', row - 1],
    ['PageDown', row + page],
    ['PageUp', row - page],
    ['Home', 0],
    ['End', total - 1],
  ]).get(key);
  return moved === undefined ? undefined : Math.max(0, Math.min(total - 1, moved));
}

/** The rows in sight, and the one that has the focus wherever it is: without it a key would have nowhere to begin. */
export function withRow(shown: readonly number[], row: number | undefined, total: number): number[] {
  if (row === undefined || row >= total || shown.includes(row)) return [...shown];
  return [...shown, row].sort((one, other) => one - other);
}
