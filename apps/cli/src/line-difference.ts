/** Lines of two texts: `-` is in the first alone, `+` in the second alone; what they share is left out. */
export function lineDifference(before: string, after: string): string[] {
  const [one, other] = [linesOf(before), linesOf(after)];
  const common = commonLines(one, other);
  const lines: string[] = [];
  let [at, otherAt] = [0, 0];
  for (const [index, otherIndex] of [...common, [one.length, other.length] as const]) {
    lines.push(...one.slice(at, index).map((line) => `- ${line}`));
    lines.push(...other.slice(otherAt, otherIndex).map((line) => `+ ${line}`));
    [at, otherAt] = [index + 1, otherIndex + 1];
  }
  return lines;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Past this the longest common lines would take long to find; then all lines count as other ones. */
const maxCompared = 4_000_000;

/** Places of the longest common lines in both texts. */
function commonLines(one: readonly string[], other: readonly string[]): (readonly [number, number])[] {
  if (one.length * other.length > maxCompared) return [];
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1));
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1)
      lengths[row]![column] =
        one[row] === other[column]
          ? lengths[row + 1]![column + 1]! + 1
          : Math.max(lengths[row + 1]![column]!, lengths[row]![column + 1]!);
  const places: (readonly [number, number])[] = [];
  let [row, column] = [0, 0];
  while (row < one.length && column < other.length) {
    if (one[row] === other[column]) places.push([row++, column++]);
    else if (lengths[row + 1]![column]! >= lengths[row]![column + 1]!) row += 1;
    else column += 1;
  }
  return places;
}
