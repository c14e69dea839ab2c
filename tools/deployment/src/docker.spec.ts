import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  contractTable,
  exchangesSecrets,
  roleNames,
  runWorkers,
  serviceNames,
  serviceOfRole,
} from '@aos/contracts';
import { documentsIn, root } from './manifests.js';
import { settingsOfServices } from './settings.js';

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image: string;
        readonly build?: { readonly args: { readonly APP: string }; readonly target?: string };
        readonly command?: readonly string[];
        readonly environment?: Readonly<Record<string, string | null>>;
        readonly networks: readonly string[];
        readonly read_only?: boolean;
        readonly cap_drop?: readonly string[];
        readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
      }
    >
  >;
}

const { services } = documentsIn('docker/compose.yaml')[0] as Compose;
const readme = readFileSync(join(root, 'docker/README.md'), 'utf8');
const dockerfile = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');

/** Settings that are no wish of an operator here: the images have them, the stores of the file, or its one of each. */
const settled = [
  /^(NODE_ENV|HEALTH_(HOST|PORT)|CHROMIUM_PATH|PATH)$/,
  /^(DATABASE_(URL|DIRECT_URL|TLS_CA)|REDIS_.*)$/,
  /^(FILES_DIR|S3_(ENDPOINT|BUCKET|ACCESS_KEY_ID|REGION|FORCE_PATH_STYLE))$/,
  /^(HOST|PORT|READY_AFTER_SETUP|RUN_WORKERS|MIGRATE_ON_START)$/,
  // Each role has keys of its own.
  /^(SECRETS|RPC|LINK)_KEYS$/,
];

describe('the compose file', () => {
  const known = settingsOfServices();

  it('has every service, built from its own folder', () => {
    const built = Object.entries(services).filter(([, { build, command }]) => build && !command);
    expect(built.map(([name]) => name).toSorted()).toEqual([...roleNames].toSorted());
    for (const [name, { build, image }] of built) {
      expect(build!.args.APP).toBe(serviceOfRole(name));
      expect(image).toBe(
        `aos/${serviceOfRole(name) === 'runs' ? 'runs-browser' : name}:\${AOS_VERSION:-latest}`,
      );
    }
  });

  it.each(roleNames)('%s is given settings that it has, and may write nowhere', (name) => {
    const { environment, read_only: readOnly, cap_drop: dropped } = services[name]!;
    expect(known[serviceOfRole(name) as keyof typeof known]).toEqual(
      expect.arrayContaining(Object.keys(environment!)),
    );
    expect([readOnly, dropped]).toEqual([true, ['ALL']]);
  });

  it.each(roleNames)('%s is given each setting that it has as the env file says it', (name) => {
    const { environment } = services[name]!;
    const wanted = known[serviceOfRole(name) as keyof typeof known].filter(
      (setting) => !settled.some((pattern) => pattern.test(setting)),
    );
    expect(wanted).toEqual(expect.arrayContaining(['LOG_LEVEL', 'DATABASE_POOL_SIZE']));
    // By its name alone; or with what is needed, or taken instead, without braces, at which some versions of Compose end.
    const isFromFile = (setting: string) =>
      environment![setting] === null ||
      new RegExp(`^\\$\\{${setting}:[-?][^{}]+\\}$`).test(environment![setting] ?? '');
    expect(wanted.filter((setting) => !isFromFile(setting))).toEqual([]);
  });

  it('needs what the env file of the README has, which is no env file of a container alone', () => {
    const [, file = ''] = /<<EOF\n([^]*?)\nEOF/.exec(readme) ?? [];
    const made = file.split('\n').map((line) => line.split('=')[0]!);
    const text = readFileSync(join(root, 'docker/compose.yaml'), 'utf8');
    const needed = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, setting]) => setting!);
    expect(new Set(made)).toEqual(new Set(needed));
    expect(made).not.toContain('DATABASE_URL');
    expect(readme).not.toContain('--env-file docker/.env');
  });

  it('gives the key of the administrator to the gateway alone', () => {
    const holders = Object.entries(services).filter(([, { environment = {} }]) => 'ADMIN_KEY' in environment);
    expect(holders.map(([name]) => name)).toEqual(['gateway']);
  });

  it('starts whoever keeps files when the bucket is there, for the end of which `up --wait` then waits', () => {
    const keepers = Object.entries(services).filter(([, { environment = {} }]) => 'S3_BUCKET' in environment);
    expect(keepers.map(([name]) => name)).toEqual(['gateway', 'runs', runWorkers]);
    for (const [name, { depends_on: needs }] of keepers)
      expect([name, needs]).toEqual([
        name,
        {
          ...services['billing']!.depends_on,
          bucket: { condition: 'service_completed_successfully' },
        },
      ]);
  });

  it.each(roleNames)(
    '%s has accounts and keys that no other has, and the program that provisions makes them',
    (role) => {
      const { environment } = services[role]!;
      const variable = role.replaceAll('-', '_').toUpperCase();
      const made = services['provision']!.environment!;
      for (const setting of ['DATABASE_URL', 'REDIS_URL']) {
        expect(environment![setting]).toContain(`:\${${variable}_PASSWORD:?`);
        expect(made[`${variable}_${setting}`]).toBe(environment![setting]);
      }
      expect(environment!['SECRETS_KEYS']).toContain(`\${${variable}_SECRETS_KEYS:?`);
      expect(environment!['MIGRATE_ON_START']).toBe('false');
      expect('RPC_KEYS' in environment!).toBe(exchangesSecrets(role, contractTable));
      expect('LINK_KEYS' in environment!).toBe(['gateway', 'runs'].includes(role));
    },
  );

  it('provisions when each service was migrated, by programs that know the owner of the tables alone', () => {
    const migrations = serviceNames.map((name) => `migrate-${name}`);
    expect(Object.keys(services['provision']!.depends_on!)).toEqual(expect.arrayContaining(migrations));
    for (const name of migrations)
      expect(Object.keys(services[name]!.environment!)).toEqual(['DATABASE_URL']);
    for (const role of roleNames)
      expect(services[role]!.depends_on).toMatchObject({
        provision: { condition: 'service_completed_successfully' },
      });
  });

  it('lets the stores reach nothing outside', () => {
    for (const name of ['postgres', 'redis', 'object-store'])
      expect([name, services[name]!.networks]).toEqual([name, ['stores']]);
  });
});

describe('the Dockerfile', () => {
  it('has the targets that the compose file asks for', () => {
    for (const { build } of Object.values(services))
      if (build?.target) expect(dockerfile).toContain(` AS ${build.target}\n`);
  });

  it('starts what is built, and asks for the health where it is told', () => {
    const { scripts, aos } = JSON.parse(readFileSync(join(root, 'apps/runs/package.json'), 'utf8')) as {
      scripts: { build: string };
      aos: { programs: Readonly<Record<string, string>> };
    };
    expect(scripts.build).toBe('node ../../tools/build.mjs');
    expect(Object.keys(aos.programs)).toEqual(['main.js']);
    expect(dockerfile).toContain('"dist/bundle/main.js"');
    expect(dockerfile).toMatch(/HEALTHCHECK[^]*\/healthz/);
  });

  it('ends as an ordinary user', () => {
    const users = [...dockerfile.matchAll(/^USER (.*)$/gm)].map(([, user]) => user);
    expect(users.at(-1)).toBe('1000:1000');
    expect(dockerfile.trimEnd().endsWith('FROM service')).toBe(true);
  });
});
