import { countAgents } from './count-agents.js';

const starts = (...agents: string[]) => agents.map((agent_id) => ({ run: { agent_id } }));

describe('the agents of a batch of starts', () => {
  it('are counted, and in the order of their ids whatever that of the starts', () => {
    expect(countAgents(starts('b', 'a', 'b', 'b', 'a'))).toEqual({
      behind: [2, 1, 1, 0, 0],
      agents: [
        { agent_id: 'a', taken: 2 },
        { agent_id: 'b', taken: 3 },
      ],
    });
    expect(countAgents([])).toEqual({ behind: [], agents: [] });
  });
});
