import { parser } from '@prometheus-io/lezer-promql';

/** A metric that a query reads, with the labels that the query names of it. */
export interface Selected {
  readonly metric: string;
  readonly labels: readonly string[];
}

export interface ReadQuery {
  readonly selected: readonly Selected[];
  /** By which labels it groups or joins. */
  readonly grouping: readonly string[];
}

/** Reads a query by Prometheus' own grammar; throws where it is none. */
export function readQuery(query: string): ReadQuery {
  const selected: { metric: string; labels: string[] }[] = [];
  const grouping: string[] = [];
  parser.parse(query).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`no query, at ${from}: ${query}`);
      const text = query.slice(from, to);
      if (type.name === 'VectorSelector') selected.push({ metric: '', labels: [] });
      if (type.name === 'Identifier' && node.parent?.type.name === 'VectorSelector') {
        selected.at(-1)!.metric = text;
      }
      if (type.name !== 'LabelName') return;
      if (node.parent?.type.name === 'GroupingLabels') grouping.push(text);
      else selected.at(-1)?.labels.push(text);
    },
  });
  return { selected, grouping };
}
