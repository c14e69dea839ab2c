/** A fenced code block of a Markdown text; lines are counted from 0. */
export interface FencedBlock {
  /** The line of the opening fence. */
  readonly firstLine: number;
  /** The line of the closing fence; without one, the last line of the text. */
  readonly lastLine: number;
  readonly closed: boolean;
  readonly content: readonly string[];
}

// The rest takes every character, line breaks of any kind too: whatever follows a fence, nothing is tried twice.
const openingFence = /^ {0,3}(?<fence>`{3,}|~{3,})[ \t]*(?<language>[^\s`]*)(?<rest>[^]*)$/;
const closingFence = /^ {0,3}(?<fence>`{3,}|~{3,})[ \t]*$/;

/**
 * The first block of a language, from a line on that stands in no block. Fences are read as CommonMark does: one that
 * stands inside a longer or another fence is text, and a block ends at a fence of its own kind that is at least as long.
 */
export function findFencedBlock(
  lines: readonly string[],
  language: string,
  from = 0,
): FencedBlock | undefined {
  for (let index = from; index < lines.length; index += 1) {
    const opening = openingOf(lines[index]!);
    if (!opening) continue;
    const end = closingLine(lines, index + 1, opening.fence);
    const closed = end < lines.length;
    const lastLine = closed ? end : lines.length - 1;
    if (opening.language === language) {
      const content = lines.slice(index + 1, end);
      return { firstLine: index, lastLine, closed, content };
    }
    index = lastLine;
  }
  return undefined;
}

function openingOf(line: string): { fence: string; language: string } | undefined {
  const groups = openingFence.exec(line)?.groups;
  if (!groups) return undefined;
  const { fence = '', language = '', rest = '' } = groups;
  // Backticks behind the fence make it code within a line.
  return fence.startsWith('`') && rest.includes('`') ? undefined : { fence, language };
}

/** The first line from a place on that closes the fence; without one, the number of lines. */
function closingLine(lines: readonly string[], from: number, fence: string): number {
  let at = from;
  while (at < lines.length && !closes(lines[at]!, fence)) at += 1;
  return at;
}

function closes(line: string, fence: string): boolean {
  const closing = closingFence.exec(line)?.groups?.['fence'];
  return closing !== undefined && closing[0] === fence[0] && closing.length >= fence.length;
}
