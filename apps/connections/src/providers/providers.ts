import type { ConfiguredProvider } from './provider.js';

/** The providers of this installation. */
export class Providers {
  private readonly byName: ReadonlyMap<string, ConfiguredProvider>;

  constructor(readonly all: readonly ConfiguredProvider[]) {
    this.byName = new Map(all.map((provider) => [provider.name, provider]));
  }

  find(name: string): ConfiguredProvider | undefined {
    return this.byName.get(name);
  }
}
