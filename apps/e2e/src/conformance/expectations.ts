/** The scenarios of the tasks extension, which belong to no revision. */
export const taskScenarios = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
] as const;

const asksBack = 'the server asks its client in the middle of a call, which takes a session';
const watches = 'a subscription outlives its request, which takes a session';

/** What does not pass, by revision, and why: docs/mcp.md says more. A failure beyond these fails the run. */
export const explainedFailures: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-11-25': {
    'tools-call-sampling': asksBack,
    'tools-call-elicitation': asksBack,
    'elicitation-sep1034-defaults': asksBack,
    'elicitation-sep1330-enums': asksBack,
    'resources-subscribe': watches,
    'resources-unsubscribe': watches,
  },
  '2026-07-28': {
    'http-custom-header-server-validation': 'no tool declares a header for one of its arguments',
  },
};

/** What the product's endpoint is held to: the scenarios that need no fixture, by revision. */
export const productScenarios: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'dns-rebinding-protection',
    'http-header-validation',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
  ],
};
