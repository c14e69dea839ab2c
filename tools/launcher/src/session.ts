import type { ServiceName } from '@aos/contracts/services';
import { gatewayPorts, type LauncherConfig } from './config.js';
import { sumProblems } from './config-problems.js';
import { ConfigRefusals } from './config-refusals.js';
import {
  type Credentials,
  credentialsPath,
  ensureSecrets,
  readCredentials,
  type Secrets,
  writeCredentials,
} from './credentials.js';
import { consoleLink, createDemoTeam, isKeyAccepted, untilReady } from './gateway-client.js';
import { giveMemoryBack } from './give-memory-back.js';
import { MetricsPorts } from './metrics-ports.js';
import { welcome } from './printer.js';
import { removeProcessesFile, writeProcessesFile } from './processes-file.js';
import { ReadinessBoard } from './readiness-board.js';
import type { ServiceOutput } from './service-output.js';
import type { ServiceUnit } from './service-unit.js';
import { type EntryOf, planServices } from './services.js';
import { startStores, storeNames, type StoreStarters, type StoreUrls } from './stores.js';
import { Supervisor } from './supervisor.js';

export interface SessionOptions {
  config: LauncherConfig;
  env: NodeJS.ProcessEnv;
  entryOf: EntryOf;
  starters: StoreStarters;
  output: ServiceOutput;
  say: (line: string) => void;
}

/** Everything between the first process that is started and the last that is stopped. */
export class Session {
  readonly #options: SessionOptions;
  readonly #supervisor: Supervisor;
  readonly #refusals = new ConfigRefusals({ problemsOf: (refused) => this.#configProblems(refused) });
  #units: ServiceUnit[] = [];
  #urls: StoreUrls | undefined;
  #metricsPorts: MetricsPorts | undefined;
  #setupPending = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#supervisor = new Supervisor({
      say: options.say,
      onChange: () => this.#noteProcesses(),
      onBadConfig: (name) => this.#refusals.markRefused(name),
    });
  }

  /** Rejects when services end because of their settings, which another start does not mend. */
  get refused(): Promise<never> {
    return this.#refusals.verdict;
  }

  /** Resolves when the program is ready and has said so. */
  async start(signal: AbortSignal): Promise<void> {
    const { config, entryOf, env, output, say, starters } = this.#options;
    const startedAt = performance.now();
    const secrets = ensureSecrets(config.dataDir);
    const known = readCredentials(config.dataDir);
    this.#setupPending = known === undefined;

    say('Starting Postgres and Redis');
    const stores = await startStores(config, { supervisor: this.#supervisor, output, starters, env });
    signal.throwIfAborted();
    const { urls, serviceUrls } = stores;
    this.#urls = urls;
    for (const line of stores.descriptions) say(line);

    const metricsPorts = new MetricsPorts([...gatewayPorts(config), ...Object.values(urls).map(portOf)]);
    this.#metricsPorts = metricsPorts;
    const board = new ReadinessBoard({ say, pathOf: (service) => output.pathOf(service) });
    this.#units = planServices({
      ...{ config, secrets, urls: serviceUrls, entryOf, env, output, metricsPorts },
      isSetupPending: () => this.#setupPending,
      onReady: (unit) => {
        board.markReady(unit);
        this.#refusals.markReady(unit.name);
      },
    });
    this.#refusals.expect(namesOf(this.#units));
    say(
      config.together
        ? 'Starting all services in one process'
        : `Starting ${this.#units.length} service processes`,
    );
    await Promise.all(this.#units.map((unit) => this.#supervisor.start(unit)));
    await Promise.race([board.allReady(this.#units, signal), untilReady(config.localBaseUrl, signal)]);

    const credentials = await this.#credentials(secrets, known, signal);
    await untilReady(config.localBaseUrl, signal);
    if (known && (await isKeyAccepted(config.localBaseUrl, known, signal)) === false) {
      say(`The key in ${credentialsPath(config.dataDir)} is not known to this database.`);
    }
    const link = await consoleLink(config.localBaseUrl, credentials.api_key, signal);
    const seconds = (performance.now() - startedAt) / 1000;
    say(welcome({ ...credentials, console: link }, credentialsPath(config.dataDir), seconds));
    giveMemoryBack();
  }

  /** The gateway goes first, so that nobody is served by half a program; the stores go last. */
  async stop(): Promise<void> {
    await this.#supervisor.stop(namesOf(this.#units.filter(({ isInFront }) => isInFront)));
    await this.#supervisor.stop(namesOf(this.#units.filter(({ isInFront }) => !isInFront)));
    await this.#supervisor.stop(storeNames);
    removeProcessesFile(this.#options.config.dataDir);
  }

  /** Ends the services without grace. The stores still close their files, which takes less than a second. */
  killServices(): void {
    this.#supervisor.kill(namesOf(this.#units));
  }

  async #credentials(
    { admin_key }: Secrets,
    known: Credentials | undefined,
    signal: AbortSignal,
  ): Promise<Credentials> {
    const { config, say } = this.#options;
    if (!known) say('Creating the demo team');
    const { team_id, api_key } = known ?? (await createDemoTeam(config.localBaseUrl, admin_key, signal));
    const credentials = { base_url: config.publicBaseUrl, team_id, api_key, admin_key };
    writeCredentials(config.dataDir, credentials);
    this.#setupPending = false;
    for (const unit of this.#units) if (unit.isInFront) unit.announceSetupDone();
    return credentials;
  }

  #configProblems(refused: readonly string[]): string[] {
    const { output } = this.#options;
    const sources = [...new Set(this.#units.map(({ source }) => source))];
    const silent = this.#units.filter(
      ({ name, source }) => refused.includes(name) && !output.configProblems.has(source),
    );
    return [
      ...sumProblems(output.configProblems, sources),
      ...silent.map(({ name, source }) => `the settings of ${name} are wrong; see ${output.pathOf(source)}`),
    ];
  }

  #noteProcesses(): void {
    if (!this.#urls) return;
    const services: Partial<Record<ServiceName, number[]>> = {};
    const metrics: Partial<Record<ServiceName, string[]>> = {};
    for (const { services: hosted, name } of this.#units) {
      const pid = this.#supervisor.pidOf(name);
      for (const service of hosted) {
        const running = services[service] ?? [];
        const shown = metrics[service] ?? [];
        const url = this.#metricsPorts?.urlOf(hosted.length > 1 ? service : name);
        services[service] = pid === undefined ? running : [...running, pid];
        metrics[service] = pid === undefined || url === undefined ? shown : [...shown, url];
      }
    }
    const { databaseUrl, redisUrl } = this.#urls;
    try {
      writeProcessesFile(this.#options.config.dataDir, {
        services,
        metrics,
        redis_url: redisUrl,
        database_url: databaseUrl,
      });
    } catch (error) {
      // A full disk must not end the program that keeps the others alive.
      this.#options.say((error as Error).message);
    }
  }
}

function namesOf(units: readonly ServiceUnit[]): string[] {
  return units.map(({ name }) => name);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
