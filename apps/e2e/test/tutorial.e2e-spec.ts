import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@aos/local-infra';
import { connectToProduct, type ConnectedProduct } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const fence = /^(`{3,})sh\n(.*?)\n\1$/gms;

/** The commands of the tutorial, in the order in which a reader meets them. */
async function commands(): Promise<string> {
  const text = await readFile(join(root, 'docs', 'tutorial.md'), 'utf8');
  return [...text.matchAll(fence)].map(([, , block]) => block).join('\n');
}

/** What a script has left running; it may be nothing. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

describe('the tutorial', () => {
  let product: ConnectedProduct;
  let team: Team;
  let folder: string;

  beforeAll(async () => {
    product = await connectToProduct();
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

  /** Runs a script as a reader would, but for the first failure, which ends it; and ends what it left running. */
  function run(script: string): Promise<{ exitCode: number | null; text: string }> {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        AOS_BASE_URL: product.urls[0]!,
        AOS_API_KEY: team.key,
        AOS_TEAM_ID: team.id,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, to which all belongs that it starts.
      detached: true,
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    }
    child.on('exit', () => endGroup(child.pid!));
    return new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, text })));
  }

  it('works as it is written', async () => {
    // Only its port is another, for who runs two tests side by side.
    const script = (await commands()).replaceAll('3999', String(await findFreePort()));
    expect(script.split('\n').length).toBeGreaterThan(40);
    const { exitCode, text } = await run(script);
    expect([exitCode, text]).toEqual([0, expect.stringContaining('Refunded') as string]);
    expect(await readFile(join(folder, 'told.txt'), 'utf8')).toMatch(
      /^queue\.case\.completed: Refund of order 471[12] is completed\n$/,
    );
    expect(text).toContain('2 accepted, 0 rejected.');
  });
});
