import { AppError } from '@aos/contracts';
import type { ClientAuthMethod, ConfiguredProvider, ConfiguredClient } from './provider.js';

/** The providers of this installation. */
export class Providers {
  private readonly byName: ReadonlyMap<string, ConfiguredProvider>;

  constructor(readonly all: readonly ConfiguredProvider[]) {
    this.byName = new Map(all.map((provider) => [provider.name, provider]));
  }

  find(name: string): ConfiguredProvider | undefined {
    return this.byName.get(name);
  }

  /** The operator may have removed the client since the consent began. */
  configured(name: string, auth: ClientAuthMethod): ProviderWithClient {
    const provider = this.find(name);
    const lacksSecret = auth !== 'none' && provider?.clientSecret === undefined;
    if (!hasClient(provider) || lacksSecret) {
      throw new AppError('not_configured', `The provider ${name} is no longer configured.`);
    }
    return provider;
  }
}

type ProviderWithClient = ConfiguredProvider & { readonly clientId: string };

export function hasClient(provider: ConfiguredProvider | undefined): provider is ProviderWithClient {
  return provider?.clientId !== undefined;
}

/** The client that the operator registered at the provider. */
export function clientOf({
  clientId,
  clientSecret: secret,
  clientAuth,
}: ProviderWithClient): ConfiguredClient {
  const auth = secret === undefined ? 'none' : (clientAuth ?? 'client_secret_basic');
  return { client_id: clientId, auth, secret };
}
