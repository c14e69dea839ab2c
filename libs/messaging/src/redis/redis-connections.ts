import { GatheringRedis } from '@aos/vendor-internals';
import { Redis, type RedisOptions } from 'ioredis';
import { watchForSilence } from './silence-watch.js';

/** The servers that know which Redis is the master. */
export interface SentinelSettings {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly master: string;
  readonly user?: string;
  readonly password?: string;
  readonly isSecured: boolean;
}

export interface RedisSettings {
  /** User, password and TLS (`rediss`) are parts of it. */
  readonly url: string;
  /** Certificates (PEM) of the authority that vouches for Redis, where that is no public one. */
  readonly ca?: string;
  /** Where the master is found; the host of the URL is not used then. */
  readonly sentinel?: SentinelSettings;
  /** Keeps installations and tests that share a Redis apart. */
  readonly prefix: string;
}

/** What names the keys of an installation. */
export interface KeyNames {
  key(...parts: string[]): string;
}

export function keysUnder(prefix: string): KeyNames {
  return { key: (...parts) => [prefix, ...parts].join(':') };
}

/** The stream that brings the events of a service; its owner alone may write it. */
export function eventStream(names: KeyNames, source: string): string {
  return names.key('events', source);
}

/**
 * The connections of one process: one for commands, one for each blocking reader, one for each subscriber.
 * Redis may come and go; commands wait for it, and every wait above them has a deadline of its own.
 */
export class RedisConnections implements KeyNames {
  private readonly open = new Set<Redis>();
  private commands: Redis | undefined;
  private jobCommands: Redis | undefined;

  constructor(
    readonly settings: RedisSettings,
    private readonly onError: (error: Error) => void = () => undefined,
  ) {}

  /** The shared connection for commands that answer at once. */
  get shared(): Redis {
    this.commands ??= this.connect('commands');
    return this.commands;
  }

  /** For BullMQ, which gives its connection fifty scripts: ioredis copies them into every pipeline made there. */
  get jobs(): Redis {
    this.jobCommands ??= this.connectForJobs('jobs');
    return this.jobCommands;
  }

  /** For one of BullMQ's workers, whose commands often meet. Others gather theirs themselves, or must not wait. */
  connectForJobs(role: string): Redis {
    const redis = this.watched(new GatheringRedis(this.settings.url, this.optionsFor(role)));
    watchForSilence(redis);
    return redis;
  }

  /** A connection that the caller may subscribe or close. */
  connect(role: string, options: RedisOptions = {}): Redis {
    const redis = this.connectBlocking(role, options);
    watchForSilence(redis);
    return redis;
  }

  /** A connection for commands that keep it waiting; its caller sees to it that the wait ends. */
  connectBlocking(role: string, options: RedisOptions = {}): Redis {
    return this.watched(new Redis(this.settings.url, { ...this.optionsFor(role), ...options }));
  }

  key(...parts: string[]): string {
    return keysUnder(this.settings.prefix).key(...parts);
  }

  async ping(): Promise<void> {
    await this.shared.ping();
  }

  close(): void {
    for (const redis of this.open) redis.disconnect();
    this.open.clear();
  }

  private optionsFor(role: string): RedisOptions {
    return {
      connectionName: `${this.settings.prefix}:${role}`,
      maxRetriesPerRequest: null,
      ...(this.settings.ca === undefined ? {} : { tls: { ca: this.settings.ca } }),
      ...sentinelOptions(this.settings),
      // What a silent peer is given to end the connection; then it is cut.
      disconnectTimeout: 300,
      // The server was demoted to a replica while the connection stayed: reconnects and sends the command again.
      reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
      retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), 1000),
    };
  }

  private watched(redis: Redis): Redis {
    redis.on('error', this.onError);
    this.open.add(redis);
    redis.once('end', () => this.open.delete(redis));
    return redis;
  }
}

function sentinelOptions({ url, ca, sentinel }: RedisSettings): RedisOptions {
  if (!sentinel) return {};
  const tls = ca === undefined ? {} : { ca };
  return {
    sentinels: [...sentinel.hosts],
    name: sentinel.master,
    sentinelUsername: sentinel.user,
    sentinelPassword: sentinel.password,
    ...(url.startsWith('rediss:') ? { tls, enableTLSForSentinelMode: true } : {}),
    ...(sentinel.isSecured ? { sentinelTLS: tls } : {}),
    sentinelRetryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), 1000),
  };
}

type PipelineResult = readonly [error: Error | null, result: unknown][] | null;

/** ioredis resolves a pipeline even when Redis has refused some of its commands. */
export function assertPipeline(result: PipelineResult): void {
  for (const [error] of result ?? []) if (error) throw error;
}
