/** The known name that was probably meant; undefined where none is near. */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const wanted = plain(given);
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of known) {
    const edits = editsBetween(wanted, plain(name));
    if (edits <= maxEdits(wanted) && edits < (best?.edits ?? Infinity)) best = { name, edits };
  }
  return best?.name;
}

/** Names of one length class: longer ones are no misspelt field, and would take long to compare. */
const maxComparedLength = 60;

function maxEdits(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/** `runId`, `run-id` and `run_id` are spellings of one name. */
function plain(name: string): string {
  return name
    .slice(0, maxComparedLength)
    .replaceAll(/[-_\s]/g, '')
    .toLowerCase();
}

/** Letters to insert, to remove or to replace, or neighbours to swap (optimal string alignment). */
function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const present = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let edits = Math.min(last[column]! + 1, present[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) edits = Math.min(edits, beforeLast[column - 2]! + 1);
      present.push(edits);
    }
    beforeLast = last;
    last = present;
  }
  return last[other.length]!;
}
