import { operations } from '@aos/contracts';
import { agentToolNames, toolName, toolsetName } from './tool-names.js';

describe('the name of a tool', () => {
  it.each([
    ['startRun', 'start_run'],
    ['getRun', 'get_run'],
    ['respondToHumanRequest', 'respond_to_human_request'],
    ['createApiKey', 'create_api_key'],
    ['createOAuthClient', 'create_oauth_client'],
    ['startNativeOAuth', 'start_native_oauth'],
    ['checkMcpOAuth', 'check_mcp_oauth'],
    ['createSandboxUploadUrl', 'create_sandbox_upload_url'],
  ])('of %s is %s', (operationId, expected) => {
    expect(toolName(operationId)).toBe(expected);
  });

  it('is one that every client takes, and no two operations share one', () => {
    const names = operations.map(({ operationId }) => toolName(operationId));
    expect(names.filter((name) => !/^[a-z][a-z0-9_]{0,63}$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

it.each([
  ['Runs', 'runs'],
  ['Human requests', 'human-requests'],
  ['MCP', 'mcp'],
])('the tool set of the tag %s is %s', (tag, expected) => {
  expect(toolsetName(tag)).toBe(expected);
});

describe('agents as tools', () => {
  it('are named by their slug, and numbered where it is taken', () => {
    expect(
      agentToolNames(['Invoice checker', 'Été à Paris!', 'invoice-checker', 'Invoice checker 2']),
    ).toEqual([
      'agent_invoice_checker',
      'agent_ete_a_paris',
      'agent_invoice_checker_2',
      'agent_invoice_checker_2_2',
    ]);
  });

  it('are named in one pass, however many have the same name', () => {
    const count = 2_000;
    const looks = import.meta.jest.spyOn(Set.prototype, 'has');
    const names = agentToolNames(Array.from({ length: count }, () => 'Untitled agent'));
    expect(looks.mock.calls.length).toBeLessThanOrEqual(2 * count);
    looks.mockRestore();
    expect([names[0], names[1], names.at(-1)]).toEqual([
      'agent_untitled_agent',
      'agent_untitled_agent_2',
      `agent_untitled_agent_${count}`,
    ]);
  });

  it('have a name whatever they are called', () => {
    const names = agentToolNames(['日本', '', '---', 'x'.repeat(500), 'x'.repeat(400)]);
    expect(names.slice(0, 3)).toEqual(['agent_unnamed', 'agent_unnamed_2', 'agent_unnamed_3']);
    expect(names.every((name) => /^[a-z0-9_]{1,64}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(5);
  });
});
