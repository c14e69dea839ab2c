// LangGraph's server in this process, as its command line starts it in another.
import { startServer } from '@langchain/langgraph-api/server';

const file = './langgraph-graphs.mjs';
await startServer({
  ...JSON.parse(process.argv[2]),
  graphs: { one: `${file}:one`, three: `${file}:three` },
});
