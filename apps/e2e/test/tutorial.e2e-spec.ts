import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@aos/local-infra';
import { blocksOf, runScript } from '../src/document.js';
import { connectToDeployment, type Deployment } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
describe('the tutorial', () => {
  let product: Deployment;
  let team: Team;
  let folder: string;

  beforeAll(async () => {
    product = await connectToDeployment();
    team = await newTeam(await connectAdmin(product));
    // A folder in which `npx aos` is found and `@aos/client` can be imported, as in a clone.
    folder = await mkdtemp(join(tmpdir(), 'tutorial-'));
    await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true });
    await symlink(join(root, 'apps', 'cli', 'bin', 'aos.mjs'), join(folder, 'node_modules', '.bin', 'aos'));
    await symlink(join(root, 'node_modules', '@aos'), join(folder, 'node_modules', '@aos'));
  });

  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true });
    await product?.disconnect();
  });

  it('works as it is written', async () => {
    // Only its port is another, for who runs two tests side by side.
    const commands = (await blocksOf('tutorial.md', 'sh')).join('\n');
    const script = commands.replaceAll('3999', String(await findFreePort()));
    expect(script.split('\n').length).toBeGreaterThan(40);
    const { exitCode, text } = await runScript(script, {
      folder,
      environment: { AOS_BASE_URL: product.urls[0]!, AOS_API_KEY: team.key, AOS_TEAM_ID: team.id },
    });
    expect([exitCode, text]).toEqual([0, expect.stringContaining('Refunded') as string]);
    expect(await readFile(join(folder, 'told.txt'), 'utf8')).toMatch(
      /^queue\.case\.completed: Refund of order 471[12] is completed\n$/,
    );
    expect(text).toContain('2 accepted, 0 rejected.');
  });
});
