import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const workspace = fileURLToPath(new URL('../../..', import.meta.url));

const consumer = `
import { createClient, ApiError, verifyWebhook, type Run } from '@aos/client';

export async function titles(baseUrl: string): Promise<string[]> {
  const client = createClient({ baseUrl, apiKey: 'key', teamId: 'team' });
  const found: string[] = [];
  for await (const run of client.each.listRuns({ status: ['completed'] })) found.push(titleOf(run));
  return found;
}

const titleOf = (run: Run): string => run.title;
export const kept = { ApiError, verifyWebhook };

// @ts-expect-error -- an agent is required
void (() => createClient({ baseUrl: '' }).startRun({ message: 'x' }));
`;

/** What a program outside of this repository gets. */
describe('the package of the client', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-package-'));
    const installed = join(folder, 'node_modules', '@aos', 'client');
    await mkdir(installed, { recursive: true });
    const { stdout } = await run(
      'npm',
      ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
      {
        cwd: packageFolder,
      },
    );
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await writeFile(join(folder, 'consumer.ts'), consumer);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const tsc = (...args: string[]) =>
    run(
      join(workspace, 'node_modules', '.bin', 'tsc'),
      ['--strict', '--target', 'es2022', ...args, 'consumer.ts'],
      {
        cwd: folder,
      },
    ).catch((error: { stdout: string }) => Promise.reject(new Error(error.stdout)));

  it('has types for a browser, in the way that bundlers find them', async () => {
    const lib = 'es2022,dom,dom.iterable,dom.asynciterable';
    await tsc('--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', lib);
  });

  it('has types for Node, and does what they say', async () => {
    await mkdir(join(folder, 'node_modules', '@types'), { recursive: true });
    await symlink(
      join(workspace, 'node_modules', '@types', 'node'),
      join(folder, 'node_modules', '@types', 'node'),
    );
    await symlink(
      join(workspace, 'node_modules', 'undici-types'),
      join(folder, 'node_modules', 'undici-types'),
    );
    await tsc('--module', 'nodenext', '--skipLibCheck', '--types', 'node');
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`);
      response.end(JSON.stringify({ data: [{ title: `run ${asked.length}` }], total: 2 }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const script = `import { titles } from './consumer.js'; console.log(JSON.stringify(await titles('http://127.0.0.1:${port}')));`;
    try {
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
      expect(JSON.parse(stdout)).toEqual(['run 1', 'run 2']);
    } finally {
      server.close();
    }
    expect(asked).toEqual([
      'Bearer key /v2/teams/team/runs?status=completed',
      'Bearer key /v2/teams/team/runs?status=completed&offset=1',
    ]);
  });
});
