import { describeToolSets, type Plugin } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';
import { perform } from './tools-under-test.js';

const caseTools = 'complete_case fail_case postpone_case add_cases hand_over_case update_case';

describe('tool sets where no Chromium is installed', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns({ environment: { CHROMIUM_PATH: '/nowhere/chromium', PATH: '' } });
  });

  afterAll(() => runs?.stop());

  /** The error of a call that no set has, which names those that there are. */
  const toolsWith = async (plugins?: string[]): Promise<string> => {
    const { ends } = await perform(runs, [['no_such_tool']], plugins ? { plugins } : {});
    return ends[0]!.error!.replace(/^.*The tools are: /, '');
  };

  it('are described with what they have, and whether they can be used', async () => {
    const services = runs.running.app.get(ServiceClient);
    const { tool_sets: sets } = await services.call(describeToolSets, {});
    const described = sets.map(({ name, type, configured, tools }: Plugin) => {
      return [name, type, configured, tools.map((tool) => tool.name).join(' ')];
    });
    expect(described).toEqual([
      ['human', 'tool', true, 'ask_human request_approval'],
      ['files', 'tool', true, 'read_file write_file list_files delete_file'],
      ['memory', 'tool', true, 'read_memory write_memory list_memory'],
      ['code', 'tool', true, 'run_code'],
      ['http', 'tool', true, 'http_request'],
      ['browser', 'tool', false, 'browser_open browser_click browser_type browser_read browser_screenshot'],
      ['cases', 'tool', true, caseTools],
      ['agents', 'tool', true, 'call_agent'],
    ]);
    for (const { title, description, tools } of sets) {
      expect([title, description, ...tools.map((tool) => tool.description)]).not.toContain('');
    }
  });

  it('are all given to a build that names none, but for what is not there', async () => {
    const { ends } = await perform(runs, [['browser_open', { url: 'https://example.com' }]]);
    expect(ends[0]!.error).toMatch(/^There is no tool named browser_open\./);
    const all = await toolsWith();
    for (const name of ['ask_human', 'write_file', 'read_memory', 'run_code', 'http_request', 'call_agent']) {
      expect(all).toContain(name);
    }
    expect(all).not.toContain('browser');
  });

  it('are chosen by a build that names them', async () => {
    const ofCases = caseTools.replaceAll(' ', ', ');
    expect(await toolsWith(['http', 'browser'])).toBe(
      `ask_human, request_approval, http_request, ${ofCases}.`,
    );
    expect(await toolsWith([])).toBe(`ask_human, request_approval, ${ofCases}.`);
    const { ends } = await perform(runs, [['write_file', { path: 'a.txt', content: 'x' }]], {
      plugins: ['http'],
    });
    expect(ends[0]!.error).toMatch(/^There is no tool named write_file\./);
  });
});
