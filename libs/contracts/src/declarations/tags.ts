/** The groups in which operations are documented, in the order in which a reader meets them. */
export const tags = {
  Teams: 'Teams, to which everything else belongs.',
  Credentials: 'API keys and OAuth clients of a team.',
  Agents: 'Agents: what a team runs, each with one live revision.',
  Revisions: 'The revisions of an agent: drafts, the live one, and those that were live before.',
  'Builder runs': 'Generated operating procedures: asked for, reviewed, accepted or discarded.',
  Schedules: 'When runs of an agent start by themselves.',
  Memory: 'Files that an agent keeps from run to run.',
  Evaluations: 'Rubrics, and how runs were judged by them.',
  Runs: 'Runs of agents: started, followed, answered, stopped and read.',
  'Human requests': 'What runs ask people, and the answers.',
  Queues: 'Queues of cases: what is to be done, what became of it, and which agents do it.',
  'Case triggers': 'Which agent works on the cases of which queue.',
  Artifacts: 'Pages that are made from a message, with the figures of the team: revised, refreshed, shared.',
  Sandboxes: 'Files that a run finds when it starts and leaves when it ends.',
  Files: 'Signed addresses for single files, good without a credential.',
  Connections: 'What agents may use of the outside: providers and MCP servers, with their credentials.',
  Plugins: 'What agents can be given: tool sets and connectors.',
  Webhooks: 'Addresses that are told of events, and what was sent to them.',
  Events: 'The events of a team, to be read in order.',
  MCP: 'The hosted MCP server, whose tools are the operations of this interface.',
  Billing: 'What a team uses, what its plan gives it, and the budget it has set itself.',
} as const;

export type Tag = keyof typeof tags;
