import { readFileSync } from 'node:fs';
import { contractTable, publicEvents } from '@aos/contracts';
import { operationTools } from './operation-tools.js';

/** The cells of the rows of a table of a document, under a heading; names stand in backquotes. */
function rowsOf(document: string, heading: string): string[][] {
  const text = readFileSync(new URL(`../../../../docs/${document}`, import.meta.url), 'utf8');
  const section = text.split(`\n${heading}\n`)[1]!;
  const lines = section.slice(0, section.indexOf('\n\n', 2)).trim().split('\n');
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

describe('what documents list', () => {
  it('is every tool of every tool set', () => {
    const documented = rowsOf('mcp.md', '### Tool sets').map(
      ([set, tools]) => [namesIn(set!)[0]!, namesIn(tools!)] as const,
    );
    const sets = new Map<string, string[]>();
    for (const { toolset, definition } of operationTools(contractTable.operations).values())
      sets.set(toolset, [...(sets.get(toolset) ?? []), definition.name]);
    expect(new Map(documented)).toEqual(sets);
  });

  it('is every event that can be subscribed to', () => {
    const documented = rowsOf('webhooks.md', '## Events').map(([name]) => namesIn(name!)[0]);
    expect(documented.toSorted()).toEqual(publicEvents.map(({ name }) => name).toSorted());
  });
});
