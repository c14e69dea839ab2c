import { createAgent } from './agents.js';
import { startBenchStack } from './bench-stack.js';
import { measureInChild } from './children.js';
import type { HttpLoad, HttpLoadResult } from './http-load.types.js';
import type { Figure } from './report.js';
import { createTeam } from './teams.js';

const connections = 16;
const seconds = 4;
const rounds = 3;
const target = 2;

/** A message of a client of each generation, with the headers that go with it. */
const messages: Readonly<Record<string, (agentId: string) => Pick<HttpLoad, 'headers' | 'body'>>> = {
  '2025-11-25': (agentId) => ({
    headers: { 'mcp-protocol-version': '2025-11-25' },
    body: call(agentId, {}),
  }),
  '2026-07-28': (agentId) => ({
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'get_agent',
    },
    body: call(agentId, {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }),
  }),
};

function call(agentId: string, meta: object): string {
  const params = { name: 'get_agent', arguments: { agent_id: agentId }, _meta: meta };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

/** A call of a tool beside the same operation over HTTP. */
export async function measureMcp(): Promise<Figure[]> {
  const stack = await startBenchStack(['gateway', 'agents-and-revisions']);
  try {
    const { team, key } = await createTeam(stack.base, stack.adminKey);
    const agentId = await createAgent({ base: stack.base, team, key }, 'Answer.');
    const headers = { authorization: `Bearer ${key}` };
    const read: HttpLoad = { url: `${stack.base}/v2/agents/${agentId}`, headers, connections, seconds };
    const figures: Figure[] = [];
    for (const [revision, message] of Object.entries(messages)) {
      const sent = message(agentId);
      const load: HttpLoad = {
        url: `${stack.base}/v2/mcp`,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', ...sent.headers },
        body: sent.body,
        connections,
        seconds,
      };
      figures.push(await compare(revision, read, load));
    }
    return figures;
  } finally {
    await stack.stop();
  }
}

async function compare(revision: string, read: HttpLoad, load: HttpLoad): Promise<Figure> {
  const ratios: { ratio: number; tool: HttpLoadResult; http: HttpLoadResult }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const http = await measureInChild<HttpLoadResult>('http-load', read);
    const tool = await measureInChild<HttpLoadResult>('http-load', load);
    // The first round warms both up.
    if (round > 0) ratios.push({ ratio: http.perSecond / tool.perSecond, tool, http });
  }
  ratios.sort((a, b) => a.ratio - b.ratio);
  const { ratio, tool, http } = ratios[Math.floor(ratios.length / 2)]!;
  return {
    name: `the tool get_agent, revision ${revision} (${connections} connections)`,
    value: `${tool.perSecond.toFixed(0)}/s, p50 ${tool.p50Ms} ms`,
    baseline: `getAgent over HTTP: ${http.perSecond.toFixed(0)}/s, p50 ${http.p50Ms} ms`,
    ratio,
    target: `<= ${target} times`,
    met: ratio <= target,
  };
}
