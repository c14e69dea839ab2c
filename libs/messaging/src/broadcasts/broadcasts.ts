import type { Broadcast } from '@aos/contracts';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import type { RedisConnections } from '../redis/redis-connections.js';

type Listener = (text: string) => void;

const soonMs = 30;
/** What Redis has not brought back by then is lost; if it comes all the same, it is heard twice. */
const mostEchoes = 1_000;

/**
 * Notifications over Redis' publish and subscribe: fast, to every process that listens, and lost without harm. Nothing may
 * depend on it but how soon something is noticed. Services of the sender's own process hear it at once, and do not listen
 * when Redis brings it back.
 */
export class Broadcasts {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly unhurried = new Map<string, unknown[]>();
  private subscriber: Redis | undefined;
  /** What was heard already, and is yet to come over Redis. */
  private readonly echoes = new Set<string>();

  /** `nearby`: those of all services of this process. */
  constructor(
    private readonly connections: RedisConnections,
    private readonly onError: (error: unknown) => void = () => undefined,
    private readonly nearby: Set<Broadcasts> = new Set(),
  ) {
    nearby.add(this);
  }

  /** Many items travel together. Does not wait, and says nothing if Redis is away: then only this process hears it. */
  send<B extends Broadcast>(broadcast: B, items: readonly z.input<B['item']>[]): void {
    const channel = this.channel(broadcast);
    const all = [...(this.unhurried.get(channel) ?? []), ...items];
    this.unhurried.delete(channel);
    if (all.length === 0) return;
    const text = JSON.stringify(all);
    const { shared } = this.connections;
    const comesBack = shared.status === 'ready';
    for (const broadcasts of this.nearby) broadcasts.hearNearby(channel, text, comesBack);
    if (comesBack) shared.publish(channel, text).catch(this.onError);
  }

  /** For notifications that are not urgent: one goes with the next, or a moment later. */
  sendSoon<B extends Broadcast>(broadcast: B, items: readonly z.input<B['item']>[]): void {
    if (items.length === 0) return;
    const channel = this.channel(broadcast);
    const waiting = this.unhurried.get(channel);
    if (waiting) waiting.push(...items);
    else {
      this.unhurried.set(channel, [...items]);
      setTimeout(() => this.send(broadcast, []), soonMs).unref();
    }
  }

  /** Gives every item sent from now on, also those of this process. Returns how to stop. */
  listen<B extends Broadcast>(broadcast: B, hear: (item: z.output<B['item']>) => void): () => void {
    const channel = this.channel(broadcast);
    const items = broadcast.item.array();
    const listener: Listener = (text) => {
      for (const item of items.parse(JSON.parse(text))) hear(item as z.output<B['item']>);
    };
    const listeners = this.listeners.get(channel) ?? this.subscribe(channel);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  private subscribe(channel: string): Set<Listener> {
    const listeners = new Set<Listener>();
    this.listeners.set(channel, listeners);
    this.subscriber ??= this.connect();
    // Waits for the connection, and is said again by ioredis after each loss.
    this.subscriber.subscribe(channel).catch(this.onError);
    return listeners;
  }

  private connect(): Redis {
    const subscriber = this.connections.connect('broadcasts');
    subscriber.on('message', (channel, text: string) => {
      if (!this.echoes.delete(text)) this.hear(channel, text);
    });
    return subscriber;
  }

  private hearNearby(channel: string, text: string, comesBack: boolean): void {
    if (!this.listeners.has(channel)) return;
    if (this.echoes.size >= mostEchoes) this.echoes.clear();
    if (comesBack) this.echoes.add(text);
    this.hear(channel, text);
  }

  private hear(channel: string, text: string): void {
    for (const listener of this.listeners.get(channel) ?? []) this.tell(listener, text);
  }

  private tell(listener: Listener, text: string): void {
    try {
      listener(text);
    } catch (error) {
      this.onError(error);
    }
  }

  private channel(broadcast: Broadcast): string {
    return this.connections.key('broadcast', broadcast.name);
  }
}
