interface Box<V> {
  value: V | undefined;
}

/**
 * A Map whose entries come and go all the time, such as requests under way.
 *
 * V8 gives a Map a new table whenever the old one is full of what was deleted, and the old table refers to the new one.
 * A table that has got into the old generation so holds all its successors, dead as it is, until the next full collection,
 * and with them all that was in the Map when each was replaced: requests that took milliseconds are kept for seconds,
 * with everything they refer to. Here the tables hold boxes, which are emptied.
 */
export class TransientMap<K extends string | number, V extends object> {
  private readonly boxes = new Map<K, Box<V>>();

  get size(): number {
    return this.boxes.size;
  }

  get(key: K): V | undefined {
    return this.boxes.get(key)?.value;
  }

  has(key: K): boolean {
    return this.boxes.has(key);
  }

  /** What has the key already keeps its place in the order. */
  set(key: K, value: V): void {
    const box = this.boxes.get(key);
    if (box) box.value = value;
    else this.boxes.set(key, { value });
  }

  /** Gives what was deleted. */
  delete(key: K): V | undefined {
    const box = this.boxes.get(key);
    if (!box) return undefined;
    const { value } = box;
    box.value = undefined;
    this.boxes.delete(key);
    return value;
  }

  keys(): IterableIterator<K> {
    return this.boxes.keys();
  }

  *values(): Generator<V> {
    for (const { value } of this.boxes.values()) if (value) yield value;
  }

  *[Symbol.iterator](): Generator<[K, V]> {
    for (const [key, { value }] of this.boxes) if (value) yield [key, value];
  }
}
