import type { BuildConfig } from '@aos/client';

/** A config as a person reads it: the procedure, and before it what it runs with. */
export function configText({ data }: BuildConfig): string {
  const { models, plugins, connections, sub_agents: subAgents, options, input } = data;
  const lines = [
    `model: ${models.agent.model}`,
    `tools: ${plugins === undefined ? 'all' : plugins.join(', ')}`,
    ...connections.map((id) => `connection: ${id}`),
    ...subAgents.map((id) => `agent: ${id}`),
    ...Object.entries(options).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\n')}\n\n${input}`;
}
