import { findFencedBlock } from '@aos/agent-runtime';

/** An instruction as people read it: on one line, without its steps. A block that is not closed is text. */
export function withoutSteps(instruction: string): string {
  const lines = instruction.split(/\r?\n/);
  const read: string[] = [];
  let from = 0;
  for (;;) {
    const block = findFencedBlock(lines, 'steps', from);
    if (!block?.closed) break;
    read.push(lines.slice(from, block.firstLine).join(' '));
    from = block.lastLine + 1;
  }
  read.push(lines.slice(from).join(' '));
  return read.join(' ').replaceAll(/\s+/g, ' ').trim();
}
