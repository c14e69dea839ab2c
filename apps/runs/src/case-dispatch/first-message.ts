import type { NewCaseLabel } from '@aos/contracts';
import { priorityOf } from '../case-core/case-rank.js';
import type { CaseEntity } from '../case-core/case.entities.js';

export type TakenCase = CaseEntity & { readonly labels: readonly NewCaseLabel[] };

type Facts = Pick<TakenCase, 'id' | 'title' | 'data' | 'labels' | 'rank'>;

/** What the run of a case begins with. Each line of the JSON begins with a brace or a blank, so no line ends the fence. */
export function firstMessage({ id, title, data, labels, rank }: Facts): string {
  const facts = { case_id: id, data, labels, priority: priorityOf(rank) };
  return `${title}\n\n\`\`\`json\n${JSON.stringify(facts, null, 2)}\n\`\`\``;
}
