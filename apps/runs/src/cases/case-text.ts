import { searchable } from '../lifecycle/run-list/searchable.js';

/** What is searched of a case: its title, and every text and number in its data, folded as searches compare them. */
export function caseText(title: string, data: unknown): string {
  return searchable([title, ...valuesOf(data)].join('\n'));
}

/** Walks without recursion: data may be deep, and wide. */
function valuesOf(root: unknown): string[] {
  const found: string[] = [];
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'number') found.push(String(value));
    // One by one: a call takes about a hundred thousand arguments and no more.
    else if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value).reverse()) stack.push(part);
  }
  return found;
}
