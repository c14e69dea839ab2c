import type { Principal } from '@aos/contracts';
import type { ServiceClient } from '@aos/messaging';
import { AgentTools } from './agent-tools.js';

const principal: Principal = { kind: 'api_key', credentialId: 'c', teamId: 't', scopes: ['*'] };

/** The tools of a team whose agents have these descriptions, and how often the agents were asked for. */
function toolsOf(...descriptions: (string | null)[]) {
  const asked = { times: 0 };
  const agents = descriptions.map((description, index) => ({
    agent_id: `a${index}`,
    name: 'An agent',
    description,
  }));
  const call = async () => {
    asked.times += 1;
    return { agents };
  };
  return { tools: new AgentTools({ call } as unknown as ServiceClient), asked };
}

describe('agents as tools', () => {
  it('are asked for once in an exchange, when they are first needed', async () => {
    const { tools, asked } = toolsOf(null, null);
    const list = tools.of(principal);
    expect(asked.times).toBe(0);
    const [first, second] = await Promise.all([list(), list()]);
    expect(first.map(({ definition }) => definition.name)).toEqual(['agent_an_agent', 'agent_an_agent_2']);
    expect([second === first, (await list()) === first, asked.times]).toEqual([true, true, 1]);
    await tools.of(principal)();
    expect(asked.times).toBe(2);
  });

  it('are none for a credential that may not start runs', async () => {
    const { tools, asked } = toolsOf(null);
    expect(await tools.of({ ...principal, scopes: ['agents:read'] })()).toEqual([]);
    expect(asked.times).toBe(0);
  });

  it('are described in at most 1,000 characters, of which none is half a one', async () => {
    const list = toolsOf(`${'x'.repeat(999)}😀`, 'y'.repeat(1_001)).tools.of(principal);
    const [split, long] = (await list()).map(({ definition }) => definition.description!);
    expect([split!.isWellFormed(), split!.endsWith('x'.repeat(999))]).toEqual([true, true]);
    expect(long).toMatch(/[^y]y{1000}$/);
  });
});
