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

  /** By default a monotonic clock: a wall clock that is set back would make entries last for as long. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get(token: string, read: () => Promise<Principal | undefined>): Promise<Principal | undefined> {
    const known = this.entries.get(token);
    if (known && this.now() - known.readAt < freshForMs) return known.principal;
    const entry = { principal: read(), readAt: this.now() };
    this.entries.delete(token);
    this.entries.set(token, entry);
    if (this.entries.size > maxEntries) this.entries.delete(this.entries.keys().next().value!);
    // Neither a failure nor an unknown token is worth a place.
    entry.principal.then(
      (principal) => principal ?? this.forget(token, entry),
      () => this.forget(token, entry),
    );
    return entry.principal;
  }

  private forget(token: string, entry: Entry): void {
    if (this.entries.get(token) === entry) this.entries.delete(token);
  }
}
