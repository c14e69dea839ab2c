import { readdir, rm } from 'node:fs/promises';
import { createAgent } from '@aos/contracts';
import { findFreePort } from '@aos/local-infra';
import { blocksOf, runScript, startedClone, textOf } from '../src/document.js';
import { connectToDeployment, type Deployment } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

describe('the first hour', () => {
  let product: Deployment;
  let team: Team;
  let folder: string;

  beforeEach(async () => {
    product = await connectToDeployment();
    team = await newTeam(await connectAdmin(product));
    folder = await startedClone({ base_url: product.urls[0]!, api_key: team.key, team_id: team.id });
  });

  afterEach(async () => {
    if (folder) await rm(folder, { recursive: true });
    await product?.disconnect();
  });

  /** Runs the commands of a document; fails if one fails, if one runs on, or if a file is left. */
  async function follow(document: string, adapt = (commands: string) => commands): Promise<string> {
    const before = await readdir(folder);
    const script = adapt((await blocksOf(document, 'sh')).join('\n'));
    const { exitCode, text, left } = await runScript(script, { folder });
    if (exitCode !== 0) throw new Error(`${document} failed:\n${text}`);
    expect(left).toEqual([]);
    expect((await readdir(folder)).filter((name) => !name.startsWith('.npm'))).toEqual(before);
    return text;
  }

  it('the tutorial works as it is written', async () => {
    // Only its port is another, so that two runs of the tests do not meet.
    const port = String(await findFreePort());
    const text = await follow('docs/tutorial.md', (commands) => commands.replaceAll('3999', port));
    expect(text).toContain('2 accepted, 0 rejected.');
    expect(text).toMatch(/^queue\.case\.completed: Refund of order 471[12] is completed$/m);
    // The unsigned POST, after which the receiver goes on until it is stopped.
    expect(text).toMatch(/^400$/m);
    expect(text.match(/ is live\.$/gm)).toHaveLength(2);
  });

  it('the configuration that the tutorial shows is accepted', async () => {
    const [, config] = /`({[^`]*})` in `config.json`/.exec(await textOf('docs/tutorial.md'))!;
    const data = { ...(JSON.parse(config!) as object), input: 'Refund' };
    await team.client.succeed(createAgent, {
      params: { teamId: team.id },
      headers: { prefer: 'handling=strict' },
      body: { name: 'Refunds', build: { config: { data } } },
    });
  });

  it('the README works as it is written', async () => {
    const text = await follow('README.md');
    expect(text.match(/"key":"aos_/g)).toHaveLength(1);
    expect(text).toContain('The run is waiting');
    expect(text).toMatch(/run\.completed\nHello, Ada!\n$/);
  });
});
