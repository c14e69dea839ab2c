import type { Principal } from '@aos/contracts';

interface Entry {
  readonly principal: Promise<Principal | undefined>;
  readonly readAt: number;
}

/** A revoked credential works no longer than this; the promise to callers is a second. */
const freshForMs = 500;
const maxEntries = 10_000;

/** Spares the database the same look-up many times a second; concurrent ones share one. */
export class CredentialCache {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly now: () => number = Date.now) {}

  get(tokenHash: string, read: () => Promise<Principal | undefined>): Promise<Principal | undefined> {
    const known = this.entries.get(tokenHash);
    if (known && this.now() - known.readAt < freshForMs) return known.principal;
    const entry = { principal: read(), readAt: this.now() };
    this.entries.delete(tokenHash);
    this.entries.set(tokenHash, entry);
    if (this.entries.size > maxEntries) this.entries.delete(this.entries.keys().next().value!);
    // Neither a failure nor an unknown token is worth a place.
    entry.principal.then(
      (principal) => principal ?? this.forget(tokenHash, entry),
      () => this.forget(tokenHash, entry),
    );
    return entry.principal;
  }

  private forget(tokenHash: string, entry: Entry): void {
    if (this.entries.get(tokenHash) === entry) this.entries.delete(tokenHash);
  }
}
