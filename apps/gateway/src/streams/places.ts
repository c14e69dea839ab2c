/** Counts what is under way for each holder, and tells when one has its share. */
export class Places {
  private readonly taken = new Map<string, number>();

  constructor(readonly most: number) {}

  /** Whether there was one. */
  take(holder: string): boolean {
    const count = this.taken.get(holder) ?? 0;
    if (count >= this.most) return false;
    this.taken.set(holder, count + 1);
    return true;
  }

  giveBack(holder: string): void {
    const count = (this.taken.get(holder) ?? 0) - 1;
    if (count > 0) this.taken.set(holder, count);
    else this.taken.delete(holder);
  }

  /** Holders that have any. */
  get holders(): number {
    return this.taken.size;
  }
}
