/** A team may hold this many times what is left. */
const greed = 3;

/**
 * Slots that teams share. A team may take more only while it holds less than three times what is free: alone it gets
 * three quarters of all, and the next team always finds some (Choudhury and Hahne's dynamic threshold).
 */
export class FairSlots {
  private readonly byTeam = new Map<string, number>();
  private taken = 0;

  constructor(readonly size: number) {}

  get free(): number {
    return this.size - this.taken;
  }

  /** The teams that may take no more for now. */
  get sated(): string[] {
    return [...this.byTeam].filter(([, held]) => this.isSated(held)).map(([teamId]) => teamId);
  }

  tryTake(teamId: string): boolean {
    const ofTeam = this.byTeam.get(teamId) ?? 0;
    if (this.isSated(ofTeam)) return false;
    this.byTeam.set(teamId, ofTeam + 1);
    this.taken += 1;
    return true;
  }

  release(teamId: string): void {
    const ofTeam = this.byTeam.get(teamId) ?? 0;
    if (ofTeam === 0) throw new Error('A slot was given back that the team does not have');
    if (ofTeam === 1) this.byTeam.delete(teamId);
    else this.byTeam.set(teamId, ofTeam - 1);
    this.taken -= 1;
  }

  private isSated(held: number): boolean {
    return held >= greed * this.free;
  }
}
