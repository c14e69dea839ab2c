import { AppError } from '@aos/contracts';
import type { ClientAuthMethod, ConfiguredProvider } from './provider.js';

/** The providers of this installation. */
export class Providers {
  private readonly byName: ReadonlyMap<string, ConfiguredProvider>;

  constructor(readonly all: readonly ConfiguredProvider[]) {
    this.byName = new Map(all.map((provider) => [provider.name, provider]));
  }

  find(name: string): ConfiguredProvider | undefined {
    return this.byName.get(name);
  }

  /** Of a consent that was asked for with a client of this kind; the operator may have taken that away since. */
  configured(name: string, auth: ClientAuthMethod): ConfiguredProvider {
    const provider = this.find(name);
    const lacksSecret = auth !== 'none' && provider?.clientSecret === undefined;
    if (provider?.clientId === undefined || lacksSecret) {
      throw new AppError('not_configured', `The provider ${name} is no longer configured.`);
    }
    return provider;
  }
}
