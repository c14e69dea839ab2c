import { join } from 'node:path';
import { findFreePort } from '@aos/local-infra';
import type { Call, Contender } from './contender.types.js';
import { makePeerFolder } from './peer-folder.js';
import { answers, startServer } from './server-process.js';

const program = 'langgraph-server.mjs';
const graphs = 'langgraph-graphs.mjs';
/** Its own default is 10; each looks for work about twice a second, so that many of them find it sooner. */
const workers = 50;

/**
 * The server that `langgraphjs dev` starts, without its file watcher and its log of each request. It keeps everything in
 * memory; a run is forgotten when it has ended, which is its default for runs without a thread, and its fastest.
 * Runs are streamed and count as completed when the last state has come: `/runs/wait`, and the end of a stream, come half
 * a second later, since it notices an end by half a second without news.
 */
export async function startLangGraph(
  packages: string,
  folder: string,
  signal: AbortSignal,
): Promise<Contender> {
  await makePeerFolder(folder, packages, [program, graphs]);
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const wish = { port, nWorkers: workers, host: '127.0.0.1', cwd: folder };
  const { pid, stop } = await startServer(
    {
      command: process.execPath,
      args: [join(folder, program), JSON.stringify(wish)],
      cwd: folder,
      environment: {
        LOG_LEVEL: 'error',
        LANGSMITH_TRACING: 'false',
        LANGGRAPH_CLI_NO_ANALYTICS: '1',
      },
      isReady: (aborted) => answers(`${base}/ok`, { signal: aborted }),
    },
    signal,
  );
  return {
    name: 'LangGraph',
    calls: { 'one step': call(base, 'one'), 'three steps': call(base, 'three') },
    pids: [pid],
    stop,
  };
}

function call(base: string, graph: string): Call {
  return {
    url: `${base}/runs/stream`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ assistant_id: graph, input: { texts: ['go'] }, stream_mode: 'values' }),
    completed: 'Done.',
  };
}
