/** A refresh that is due, and whose answer it needs. */
interface DueRefresh {
  readonly id: string;
  readonly oauth: { readonly server: { readonly issuer: string } } | null;
}

/** The issuer of the tokens, if known. */
function issuerOf({ oauth }: DueRefresh): string {
  return oauth?.server.issuer ?? '';
}

export interface PlaceLimits {
  readonly atOnce: number;
  /** Per authorization server, so that one that hangs cannot block the others. */
  readonly ofOneIssuer: number;
}

/** The refreshes that a process has in hand, and what it may take up beside them. */
export class RefreshPlaces {
  private readonly inHand = new Map<string, string>();

  constructor(private readonly limits: PlaceLimits) {}

  get free(): number {
    return this.limits.atOnce - this.inHand.size;
  }

  ids(): string[] {
    return [...this.inHand.keys()];
  }

  /** The authorization servers that are to be asked nothing more until one of their answers is there. */
  fullIssuers(): string[] {
    const issuers = new Set(this.inHand.values());
    return [...issuers].filter((issuer) => this.isFull(issuer));
  }

  /** Whether it has a place now. */
  take(due: DueRefresh): boolean {
    const issuer = issuerOf(due);
    if (this.free <= 0 || this.inHand.has(due.id) || this.isFull(issuer)) return false;
    this.inHand.set(due.id, issuer);
    return true;
  }

  leave(id: string): void {
    this.inHand.delete(id);
  }

  private isFull(issuer: string): boolean {
    const taken = [...this.inHand.values()].filter((one) => one === issuer).length;
    return taken >= this.limits.ofOneIssuer;
  }
}
