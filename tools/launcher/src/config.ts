import { isAbsolute, join } from 'node:path';
import { type ServiceName, serviceNames } from '@aos/contracts/services';
import { secretsKeysFault } from '@aos/secrets';
import { StartError } from './start-error.js';

export interface LauncherConfig {
  host: string;
  port: number;
  /** The address that the program gives to others. */
  publicBaseUrl: string;
  /** The address under which this machine reaches the first gateway. */
  localBaseUrl: string;
  dataDir: string;
  /** Undefined: an embedded server is started. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** Undefined: made on the first start and kept in the data folder. */
  secretsKeys: string | undefined;
  replicas: Record<ServiceName, number>;
  /** All services in one process. */
  together: boolean;
  logLevel: string;
  logToStdout: boolean;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const maxReplicas = 16;

/** Reads the settings of `npm start`, and tells all that is wrong with them at once. */
export function readConfig(env: NodeJS.ProcessEnv, root: string): LauncherConfig {
  const problems: string[] = [];
  const read = <T>(name: string, parse: (text: string) => T, otherwise: T): T => {
    const text = env[name]?.trim();
    if (!text) return otherwise;
    try {
      return parse(text);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
      return otherwise;
    }
  };

  const host = read('HOST', (text) => text, '127.0.0.1');
  const port = read('PORT', parsePort, 8080);
  const replicas = read('REPLICAS', parseReplicas, noReplicas());
  const localBaseUrl = `http://${urlHost(reachableHost(host))}:${port}`;
  const config: LauncherConfig = {
    host,
    port,
    localBaseUrl,
    publicBaseUrl: read('PUBLIC_BASE_URL', parseBaseUrl, localBaseUrl),
    dataDir: read(
      'AOS_DATA_DIR',
      (text) => (isAbsolute(text) ? text : join(root, text)),
      join(root, '.data'),
    ),
    databaseUrl: read('DATABASE_URL', (text) => parseUrl(text, ['postgres', 'postgresql']), undefined),
    redisUrl: read('REDIS_URL', (text) => parseUrl(text, ['redis', 'rediss']), undefined),
    secretsKeys: read('SECRETS_KEYS', parseKeys, undefined),
    replicas,
    together: read('TOGETHER', parseFlag, false),
    logLevel: read('LOG_LEVEL', (text) => parseChoice(text.toLowerCase(), logLevels), 'info'),
    logToStdout: read('LOG_TO_STDOUT', parseFlag, false),
  };
  if (port + replicas.gateway - 1 > 65_535) {
    problems.push(`PORT ${port} leaves no room for ${replicas.gateway} gateways below 65536`);
  }
  if (config.together && Object.values(replicas).some((count) => count > 1)) {
    problems.push('REPLICAS asks for several processes and TOGETHER for one; choose');
  }
  const [first, ...others] = problems;
  if (first !== undefined) throw new StartError([first, ...others]);
  return config;
}

/** The ports of the gateways: the first, and the following ones for more of them. */
export function gatewayPorts(config: Pick<LauncherConfig, 'port' | 'replicas'>): number[] {
  return Array.from({ length: config.replicas.gateway }, (_, index) => config.port + index);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw new Error(`must be a number from 1 to 65535, not "${text}"`);
  }
  return port;
}

function noReplicas(): Record<ServiceName, number> {
  return Object.fromEntries(serviceNames.map((name) => [name, 1])) as Record<ServiceName, number>;
}

/** `runs:2,gateway:2`; what is not named runs once. */
export function parseReplicas(text: string): Record<ServiceName, number> {
  const replicas = noReplicas();
  for (const entry of text.split(',')) {
    const [name = '', count = ''] = entry.split(':').map((part) => part.trim());
    const service = serviceNames.find((known) => known === name);
    if (!service) throw new Error(`names the service "${name}"; there are ${serviceNames.join(', ')}`);
    if (!/^\d+$/.test(count) || Number(count) < 1 || Number(count) > maxReplicas) {
      throw new Error(`must give ${name} a number from 1 to ${maxReplicas}, as in "runs:2,gateway:2"`);
    }
    replicas[service] = Number(count);
  }
  return replicas;
}

function parseBaseUrl(text: string): string {
  const url = new URL(parseUrl(text, ['http', 'https']));
  if (url.search || url.hash) throw new Error('must not have a query or a fragment');
  return url.href.replace(/\/+$/, '');
}

/** The address itself is not repeated in the message: it may hold a password. */
function parseUrl(text: string, schemes: string[]): string {
  const wanted = `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  if (!URL.canParse(text)) throw new Error(wanted);
  const { protocol, hostname } = new URL(text);
  if (!schemes.includes(protocol.slice(0, -1)) || hostname === '') throw new Error(wanted);
  return text;
}

function parseKeys(text: string): string {
  const fault = secretsKeysFault(text);
  if (fault) throw new Error(fault);
  return text;
}

function parseFlag(text: string): boolean {
  return parseChoice(text.toLowerCase(), ['true', 'false']) === 'true';
}

function parseChoice(text: string, choices: string[]): string {
  if (!choices.includes(text)) throw new Error(`must be one of ${choices.join(', ')}`);
  return text;
}

/** A server that listens everywhere is reached through the loopback. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
