// Graphs of LangGraph: each step is a node without latency, after which the server keeps a checkpoint.
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const texts = Annotation({ reducer: (before, more) => before.concat(more), default: () => [] });

function graphOf(steps) {
  const graph = new StateGraph(Annotation.Root({ texts }));
  const names = Object.keys(steps);
  for (const name of names) graph.addNode(name, () => ({ texts: [steps[name]] }));
  [START, ...names].forEach((name, index) => graph.addEdge(name, names[index] ?? END));
  return graph.compile();
}

export const one = graphOf({ finish: 'Done.' });
export const three = graphOf({ read: 'Reading', think: 'Thinking', finish: 'Done.' });
