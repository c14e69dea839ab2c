import { randomBytes } from 'node:crypto';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceNames, type Operation } from '@aos/contracts';
import { findFreePort, memoryFlags, sharedMemoryFlags } from '@aos/local-infra';
import {
  appEntry,
  createProductDatabase,
  createTestDatabase,
  fixtureEntries,
  startReceiver,
  startServiceContainer,
  startServiceProcess,
  testEnvironment,
  type QueryableDatabase,
  type ServiceProcess,
  type WebhookReceiver,
} from '@aos/testing';
import { startOAuthSurroundings, type OAuthParties } from './oauth-surroundings.js';
import { wantedForm } from './product-form.js';
import { imageOf, usesImages } from './service-images.js';

type FixtureService = keyof typeof fixtureEntries;
export type BehindGateway = Exclude<(typeof serviceNames)[number], 'gateway'> | FixtureService;

/** Every service but the gateway: the product's five and the two fixtures. */
export const servicesBehindGateway: readonly BehindGateway[] = [
  ...serviceNames.filter((name) => name !== 'gateway'),
  'fixture',
  'fixture-consumer',
];

/** The services that must run for the operations to be answered. */
export function ownersOf(operations: readonly Operation[]): BehindGateway[] {
  const owners = new Set<string>(operations.map(({ owner }) => owner));
  return servicesBehindGateway.filter((service) => owners.has(service));
}

export interface StackOptions {
  readonly gateways?: number;
  /** Those named more than once have so many replicas. */
  readonly services?: readonly BehindGateway[];
  /**
   * Every service there is, and the first gateway, in one process; `services` says nothing then. `false` where a test
   * has to do with single processes; by default as `E2E_FORM` says, or split.
   */
  readonly together?: boolean;
  /** The folder of another version, which is built: its processes are started first. */
  readonly checkout?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The address under which clients reach it, made of where the first gateway listens; by default the same. */
  readonly publicUrl?: (url: string) => string;
  /** Servers that the test may stop; by default those of the run. */
  readonly stores?: { readonly databaseUrl: string; readonly redisUrl: string };
}

export interface RunningProcess extends ServiceProcess {
  readonly service: string;
  /** Where it listens, if it is a gateway. */
  readonly url?: string;
}

/** The product, as its users and those around it see it. */
export interface Product {
  /** Where the gateways listen. */
  readonly urls: readonly string[];
  readonly adminKey: string;
  readonly database: QueryableDatabase;
  /** Takes what the product sends out. */
  readonly receiver: WebhookReceiver;
  /** Where the service `connections` is part of it. */
  readonly oauth: OAuthParties | undefined;
}

/** The product as processes of its own, on a database and a Redis prefix that no other test has. */
export interface Stack extends Product {
  /** Where the gateways show their metrics, which is no port of clients. */
  readonly metricsUrls: readonly string[];
  readonly processes: readonly RunningProcess[];
  /** One more replica of a service, with settings of its own if need be. */
  start(service: BehindGateway, own?: Readonly<Record<string, string>>): Promise<RunningProcess>;
  /** Ends the gateway of the first address at once; gives how to start it again at the same address. */
  killGateway(): Promise<() => Promise<void>>;
  /** Ends a process as an operator would, and starts one of today's version in its place; gives the exit code of the first. */
  replace(process: RunningProcess): Promise<number | null>;
  /** Ends every process as an operator would and gives their exit codes; then removes the database. */
  stop(): Promise<{ service: string; exitCode: number | null }[]>;
}

/** Of the built-in model: as much as makes the cost of a run of a few steps one that can be seen. */
export const pricesOfTests = {
  MODEL_PRICES: JSON.stringify({ 'builtin/*': { input: '20', output: '40' } }),
  MODEL_PRICES_CURRENCY: 'EUR',
};

const root = fileURLToPath(new URL('../../../', import.meta.url));
// Processes run what was built; Jest reads this file from the sources.
const gatewayEntry = fileURLToPath(new URL('../dist/bundle/fixture-gateway.main.js', import.meta.url));
const togetherEntry = fileURLToPath(new URL('../dist/bundle/fixture-together.main.js', import.meta.url));

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { gateways = 1, stores } = options;
  const together = options.together ?? (wantedForm === 'together' && !usesImages && !options.checkout);
  const services = together ? servicesBehindGateway : (options.services ?? ['fixture']);
  // On servers of its own without schemas: every service migrates its own when it starts.
  const database = stores ? await createTestDatabase([], stores.databaseUrl) : await createProductDatabase();
  const receiver = await startReceiver();
  // Late, so that no other process takes them before the gateways do.
  const ports = await freePorts(gateways * 2);
  const healthPorts = ports.splice(gateways);
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const publicUrl = options.publicUrl?.(urls[0]!) ?? urls[0]!;
  const oauth = services.includes('connections') ? await startOAuthSurroundings(publicUrl) : undefined;
  const adminKey = `aos_admin_${randomBytes(32).toString('base64url')}`;
  const environment = testEnvironment({
    // Walks make more requests and more failed authentications in a minute than a client should.
    RATE_LIMIT_PER_MINUTE: '1000000',
    AUTH_FAILURES_PER_MINUTE: '1000000',
    // Receivers of tests are on this machine.
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    ...oauth?.environment,
    ...options.environment,
    ...(stores ? { REDIS_URL: stores.redisUrl } : {}),
    DATABASE_URL: database.url,
    PUBLIC_BASE_URL: publicUrl,
  });
  const processes: RunningProcess[] = [];
  const again = new Map<RunningProcess, () => Promise<RunningProcess>>();
  const run = async (
    service: string,
    entry: string,
    own: Readonly<Record<string, string>> = {},
  ): Promise<RunningProcess> => {
    // Images know nothing of the fixture: a gateway that serves its operations is a process all the same.
    const isOfTests = entry === gatewayEntry && services.some((name) => name in fixtureEntries);
    const image = options.checkout || isOfTests ? undefined : imageOf(service);
    const given = { ...environment, ...own };
    const flags = entry === togetherEntry ? sharedMemoryFlags : memoryFlags;
    const started = await (image
      ? startServiceContainer(image, given)
      : startServiceProcess(entry, given, flags));
    const url = own['PORT'] && `http://127.0.0.1:${own['PORT']}`;
    const running = { ...started, service, url };
    processes.push(running);
    again.set(running, () => run(service, ofToday(entry, options.checkout), own));
    return running;
  };
  const stack: Stack = {
    urls,
    metricsUrls: healthPorts.map((port) => `http://127.0.0.1:${port}/metrics`),
    adminKey,
    database,
    processes,
    receiver,
    oauth,
    start: (service, own) => run(service, entryOf(service), own),
    killGateway: async () => {
      const gateway = processes.find(({ url }) => url === urls[0])!;
      processes.splice(processes.indexOf(gateway), 1);
      gateway.signal('SIGKILL');
      await gateway.exited;
      return async () => void (await again.get(gateway)!());
    },
    replace: async (process) => {
      await process.stop();
      processes.splice(processes.indexOf(process), 1);
      await again.get(process)!();
      return process.exited;
    },
    stop: async () => {
      const ended = await Promise.all(
        processes.map(async ({ service, stop, exited }) => {
          await stop();
          return { service, exitCode: await exited };
        }),
      );
      await receiver.close();
      await oauth?.close();
      await database.drop();
      return ended;
    },
  };
  const starts = [
    ...ports.map((port, index) => {
      const isAll = together && index === 0;
      const entry = isAll ? togetherEntry : gatewayEntry;
      return run(isAll ? 'together' : 'gateway', inCheckout(entry, options.checkout), {
        PORT: String(port),
        [isAll ? 'GATEWAY_HEALTH_PORT' : 'HEALTH_PORT']: String(healthPorts[index]),
        ADMIN_KEY: adminKey,
      });
    }),
    ...(together ? [] : services).map((service) =>
      run(service, inCheckout(entryOf(service), options.checkout)),
    ),
  ];
  const failed = (await Promise.allSettled(starts)).find((outcome) => outcome.status === 'rejected');
  if (!failed) return stack;
  await stack.stop();
  throw failed.reason;
}

function entryOf(service: BehindGateway): string {
  return service in fixtureEntries ? fixtureEntries[service as FixtureService] : appEntry(service);
}

/** The same file of another version. */
function inCheckout(entry: string, checkout: string | undefined): string {
  return checkout ? join(checkout, relative(root, entry)) : entry;
}

function ofToday(entry: string, checkout: string | undefined): string {
  return checkout ? join(root, relative(checkout, entry)) : entry;
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await findFreePort({ exclude: ports }));
  return ports;
}
