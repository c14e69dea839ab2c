import type { Redis } from 'ioredis';
import type { RedisConnections } from '../../redis/redis-connections.js';

export interface AnswerChannelsOptions {
  readonly connections: RedisConnections;
  /** The channel on which this process hears the answers of a service. */
  readonly channelOf: (service: string) => string;
  readonly onMessage: (service: string, message: string) => void;
  /** Called when the answers of these services can be received. */
  readonly onOpen: (services: readonly string[]) => void;
}

/**
 * Receives answers, those of each service on a channel of its own: a service may publish to no other, and so cannot answer
 * for another service.
 */
export class AnswerChannels {
  /** Channels by service and services by channel, as far as something was asked of them. */
  private readonly channels = new Map<string, string>();
  private readonly services = new Map<string, string>();
  private readonly open = new Set<string>();
  private subscriber: Redis | undefined;

  constructor(private readonly options: AnswerChannelsOptions) {}

  /** Calls back when Redis is reached for the first time. */
  connect(ready: () => void): void {
    const subscriber = this.options.connections.connect('rpc-reply', { autoResubscribe: false });
    this.subscriber = subscriber;
    subscriber.on('message', (channel, message: string) => {
      const service = this.services.get(channel);
      if (service !== undefined) this.options.onMessage(service, message);
    });
    subscriber.on('close', () => this.open.clear());
    subscriber.on('ready', () => {
      this.subscribe([...this.services.keys()]);
      ready();
    });
  }

  /** The channel that a request to a service names; from now on it is subscribed to, also after Redis was away. */
  channelOf(service: string): string {
    const known = this.channels.get(service);
    if (known !== undefined) return known;
    const channel = this.options.channelOf(service);
    this.channels.set(service, channel);
    this.services.set(channel, service);
    if (this.subscriber?.status === 'ready') this.subscribe([channel]);
    return channel;
  }

  /** Whether an answer on this channel would be received. */
  isOpen(channel: string): boolean {
    return this.open.has(channel);
  }

  close(): void {
    this.subscriber?.disconnect();
  }

  private subscribe(channels: readonly string[]): void {
    if (channels.length === 0) return;
    this.subscriber!.subscribe(...channels).then(
      () => {
        for (const channel of channels) this.open.add(channel);
        this.options.onOpen(channels.map((channel) => this.services.get(channel)!));
      },
      // The connection broke again; the next one subscribes.
      () => undefined,
    );
  }
}
