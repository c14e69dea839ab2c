import type { Broadcast } from '@aos/contracts';
import { frozen } from '@aos/platform';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import type { KeyNames, RedisConnections } from '../redis/redis-connections.js';

type Listener = (item: unknown) => void;

/** A channel that this process listens to. */
interface Channel {
  readonly parse: (text: string) => readonly unknown[];
  readonly listeners: Set<Listener>;
}

export function broadcastChannel(names: KeyNames, { name }: Broadcast): string {
  return names.key('broadcast', name);
}

const soonMs = 30;
/** How often to ask, while there are notifications, whether another process listens where none did. */
const aloneMs = 100;
/** A notification that Redis has not brought back by then counts as lost; if it comes all the same, it is heard twice. */
const maxEchoes = 1_000;

/**
 * Notifications over Redis' publish and subscribe: fast, to every process that listens, and lost without harm. Nothing may
 * depend on it but how soon something is noticed. Services of the sender's own process hear it at once, and do not listen
 * when Redis brings it back.
 */
export class Broadcasts {
  private readonly channels = new Map<string, Channel>();
  /** Items that wait for the next notification of their channel. */
  private readonly unhurried = new Map<string, unknown[]>();
  /** Channels to which only this process listened when Redis was last asked, with the notifications since. */
  private readonly alone = new Map<string, string[]>();
  private subscriber: Redis | undefined;
  /** Heard already, and yet to come over Redis. */
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
    const name = this.channelName(broadcast);
    const all = [...(this.unhurried.get(name) ?? []), ...items];
    if (all.length === 0) return;
    // An entry that is deleted would stay in the old generation (ADR 30).
    this.unhurried.set(name, []);
    const text = JSON.stringify(all);
    this.tellNearby(name, text);
    const waiting = this.alone.get(name);
    if (!waiting) this.publish(name, text);
    else if (waiting.push(text) === 1) setTimeout(() => void this.lookForOthers(name), aloneMs).unref();
  }

  /** For notifications that are not urgent: one goes with the next, or a moment later. */
  sendSoon<B extends Broadcast>(broadcast: B, items: readonly z.input<B['item']>[]): void {
    if (items.length === 0) return;
    const name = this.channelName(broadcast);
    const waiting = this.unhurried.get(name) ?? [];
    if (waiting.length === 0) setTimeout(() => this.send(broadcast, []), soonMs).unref();
    waiting.push(...items);
    this.unhurried.set(name, waiting);
  }

  /** Gives every item sent from now on, also those of this process. Returns how to stop. */
  listen<B extends Broadcast>(broadcast: B, hear: (item: z.output<B['item']>) => void): () => void {
    const name = this.channelName(broadcast);
    const { listeners } = this.channels.get(name) ?? this.subscribe(name, broadcast);
    const listener: Listener = (item) => hear(item as z.output<B['item']>);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  private subscribe(name: string, { item }: Broadcast): Channel {
    const items = item.array();
    const channel = {
      parse: (text: string) => items.parse(JSON.parse(text)),
      listeners: new Set<Listener>(),
    };
    this.channels.set(name, channel);
    this.subscriber ??= this.connect();
    // Waits for the connection, and is said again by ioredis after each loss.
    this.subscriber.subscribe(name).catch(this.onError);
    return channel;
  }

  private connect(): Redis {
    const subscriber = this.connections.connect('broadcasts');
    subscriber.on('message', (name, text: string) => {
      if (!this.echoes.delete(text)) this.hearFar(name, text);
    });
    return subscriber;
  }

  /** Redis tells how many have received it. If they are no more than those of this process, nobody waits for the next. */
  private publish(name: string, text: string): void {
    const { shared } = this.connections;
    if (shared.status !== 'ready') return;
    const listening = this.listeningNearby(name);
    for (const broadcasts of listening) broadcasts.expectEcho(text);
    shared.publish(name, text).then((received) => {
      if (received <= listening.length && !this.alone.has(name)) this.alone.set(name, []);
    }, this.onError);
  }

  /**
   * Publishes what has waited if it is for somebody: most of what a process says, nobody outside it hears. A Redis that does
   * not tell is told everything.
   */
  private async lookForOthers(name: string): Promise<void> {
    const waiting = this.alone.get(name);
    if (!waiting) return;
    this.alone.set(name, []);
    const { shared } = this.connections;
    if (shared.status !== 'ready') return;
    const listening = await shared.pubsub('NUMSUB', name).then(
      ([, count]) => Number(count),
      () => Infinity,
    );
    if (listening <= this.listeningNearby(name).length) return;
    const since = this.alone.get(name) ?? [];
    this.alone.delete(name);
    for (const text of [...waiting, ...since]) this.publish(name, text);
  }

  private listeningNearby(name: string): readonly Broadcasts[] {
    return [...this.nearby].filter(({ channels }) => channels.has(name));
  }

  private expectEcho(text: string): void {
    if (this.echoes.size >= maxEchoes) this.echoes.clear();
    this.echoes.add(text);
  }

  /** From a process that may be of another version. */
  private hearFar(name: string, text: string): void {
    const channel = this.channels.get(name);
    if (!channel || channel.listeners.size === 0) return;
    try {
      this.tell(channel, channel.parse(text));
    } catch (error) {
      this.onError(error);
    }
  }

  /**
   * To this process, where the types say what it is; a copy all the same, so that nobody changes what the sender holds,
   * and frozen, as all who listen get the same.
   */
  private tellNearby(name: string, text: string): void {
    let items: readonly unknown[] | undefined;
    for (const broadcasts of this.nearby) {
      const channel = broadcasts.channels.get(name);
      if (!channel || channel.listeners.size === 0) continue;
      items ??= frozen(JSON.parse(text) as unknown[]);
      broadcasts.tell(channel, items);
    }
  }

  private tell({ listeners }: Channel, items: readonly unknown[]): void {
    for (const item of items) for (const listener of listeners) this.tellOne(listener, item);
  }

  private tellOne(listener: Listener, item: unknown): void {
    try {
      listener(item);
    } catch (error) {
      this.onError(error);
    }
  }

  private channelName(broadcast: Broadcast): string {
    return broadcastChannel(this.connections, broadcast);
  }
}
