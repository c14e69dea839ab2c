import { mostColumns } from './csv-columns.js';
import { timesOf, type Columns } from './exported-rows.js';

/** What some cases need: a name in their data, or so many labels with a key. */
export interface NeededColumn {
  readonly kind: 'data' | 'label';
  readonly name: string;
  readonly times: number;
}

/** Gathers the columns that a file needs, a part of its cases after the other. */
export class NeededColumns {
  private readonly data: Set<string>;
  private readonly labels: Map<string, number>;

  /** From those of the parts before. */
  constructor(before: Columns = { labels: [], data: [] }) {
    this.data = new Set(before.data);
    this.labels = timesOf(before.labels);
  }

  add(needed: readonly NeededColumn[]): void {
    for (const { kind, name, times } of needed) {
      if (kind === 'data') this.data.add(name);
      else this.labels.set(name, Math.max(times, this.labels.get(name) ?? 0));
    }
  }

  /** Nothing is gathered behind it. */
  get areTooMany(): boolean {
    const labels = [...this.labels.values()].reduce((sum, times) => sum + times, 0);
    return this.data.size + labels > mostColumns;
  }

  /** By name, so that the same cases always make the same file. */
  sorted(): Columns {
    const keys = [...this.labels.keys()].sort();
    return {
      labels: keys.flatMap((key) => Array.from({ length: this.labels.get(key)! }, () => key)),
      data: [...this.data].sort(),
    };
  }
}
