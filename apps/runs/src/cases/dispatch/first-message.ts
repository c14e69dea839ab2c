import type { NewCaseLabel } from '@aos/contracts';
import { priorityOf } from '../case-rank.js';
import type { CaseEntity } from '../case.entities.js';

export type TakenCase = CaseEntity & { readonly labels: readonly NewCaseLabel[] };

type Facts = Pick<TakenCase, 'id' | 'title' | 'data' | 'labels' | 'rank'>;

/** Deep data is a hundred times as long when it is indented; a case may have a megabyte of it. */
const mostIndentedLength = 4_000;

/** What the run of a case begins with. Each line of the JSON begins with a brace or a blank, so no line ends the fence. */
export function firstMessage({ id, title, data, labels, rank }: Facts): string {
  const facts = { case_id: id, data, labels, priority: priorityOf(rank) };
  return `${title}\n\n\`\`\`json\n${readable(facts)}\n\`\`\``;
}

function readable(facts: object): string {
  const plain = JSON.stringify(facts);
  return plain.length > mostIndentedLength ? plain : JSON.stringify(facts, null, 2);
}
