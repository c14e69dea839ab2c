interface Box<V> {
  value: V | undefined;
}

/** A Set whose members come and go all the time: see `TransientMap` for what a Set would keep of them. */
export class TransientSet<V extends object> {
  private readonly boxes = new Set<Box<V>>();

  get size(): number {
    return this.boxes.size;
  }

  /** Returns what takes it out again. */
  add(value: V): () => void {
    const box: Box<V> = { value };
    this.boxes.add(box);
    return () => {
      box.value = undefined;
      this.boxes.delete(box);
    };
  }

  *[Symbol.iterator](): Generator<V> {
    for (const { value } of this.boxes) if (value) yield value;
  }
}
