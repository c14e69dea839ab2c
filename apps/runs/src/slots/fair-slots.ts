/** A team may hold this many times what is left. */
const greed = 3;

/**
 * Places that teams share. A team may take more only while it holds less than three times what is free: alone it gets
 * three quarters of all, and whoever comes next always finds some (Choudhury and Hahne's dynamic threshold).
 */
export class FairSlots {
  private readonly held = new Map<string, number>();
  private taken = 0;

  constructor(private readonly size: number) {}

  get free(): number {
    return this.size - this.taken;
  }

  tryTake(teamId: string): boolean {
    const held = this.held.get(teamId) ?? 0;
    if (held >= greed * this.free) return false;
    this.held.set(teamId, held + 1);
    this.taken += 1;
    return true;
  }

  release(teamId: string): void {
    const held = this.held.get(teamId) ?? 0;
    if (held === 0) throw new Error('A place was given back that nobody holds');
    if (held === 1) this.held.delete(teamId);
    else this.held.set(teamId, held - 1);
    this.taken -= 1;
  }
}
