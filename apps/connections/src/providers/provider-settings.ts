import { z } from 'zod';
import { builtInProviders } from './built-in-providers.js';
import type { ConfiguredProvider } from './provider.js';

const address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** Settings of a provider; for a built-in one only the differences. */
const givenProviderSchema = z.strictObject({
  title: z.string().min(1).optional(),
  description: z.string().optional(),
  issuer: address.optional(),
  authorization_endpoint: address.optional(),
  token_endpoint: address.optional(),
  revocation_endpoint: address.optional(),
  client_id: z.string().min(1).optional(),
  client_secret: z.string().min(1).optional(),
  client_auth: z.enum(['none', 'client_secret_basic', 'client_secret_post']).optional(),
  scopes: z.array(z.string().min(1)).optional(),
  scope_separator: z.string().length(1).optional(),
  authorization_params: z.record(z.string(), z.string()).optional(),
  api_base_url: address.optional(),
  api_hosts: z.array(z.string().min(1)).optional(),
});

type GivenProvider = z.output<typeof givenProviderSchema>;

const names = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be named in a-z, 0-9, "_" and "-"');

/** The text of `OAUTH_PROVIDERS`: JSON, by name. The message never holds the value, in which there are secrets. */
export const providersSettingSchema = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.record(names, givenProviderSchema))
  .superRefine((given, context) => {
    for (const [name, provider] of Object.entries(given)) {
      const problem = problemOf(name, provider);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: [name], message: problem });
    }
  });

function problemOf(name: string, given: GivenProvider): string | undefined {
  if (builtInProviders.some((provider) => provider.name === name)) return undefined;
  const hasEndpoints = given.authorization_endpoint !== undefined && given.token_endpoint !== undefined;
  if (!hasEndpoints && given.issuer === undefined) {
    return 'needs an issuer, or authorization_endpoint and token_endpoint';
  }
  return given.api_base_url === undefined ? 'needs api_base_url' : undefined;
}

/** `OAUTH_GOOGLE_CLIENT_ID`, `OAUTH_GOOGLE_CLIENT_SECRET` and the like. */
export const clientSettings: Readonly<Record<string, z.ZodOptional<z.ZodString>>> = Object.fromEntries(
  builtInProviders.flatMap(({ name }) =>
    ['CLIENT_ID', 'CLIENT_SECRET'].map((part) => [settingOf(name, part), z.string().min(1).optional()]),
  ),
);

/** All providers of this installation, the built-in ones first. */
export function providersOf(
  given: Readonly<Record<string, GivenProvider>>,
  settings: Readonly<Record<string, unknown>>,
): ConfiguredProvider[] {
  const builtIn = builtInProviders.map((provider): ConfiguredProvider => ({
    ...provider,
    clientId: settings[settingOf(provider.name, 'CLIENT_ID')] as string | undefined,
    clientSecret: settings[settingOf(provider.name, 'CLIENT_SECRET')] as string | undefined,
  }));
  const known = new Map(builtIn.map((provider) => [provider.name, provider]));
  for (const [name, own] of Object.entries(given)) known.set(name, merged(name, known.get(name), own));
  return [...known.values()];
}

function merged(name: string, base: ConfiguredProvider | undefined, own: GivenProvider): ConfiguredProvider {
  const apiBaseUrl = own.api_base_url ?? base?.apiBaseUrl ?? '';
  const title = own.title ?? base?.title ?? name;
  return {
    name,
    title,
    description: own.description ?? base?.description ?? `The API of ${title}.`,
    issuer: own.issuer ?? base?.issuer,
    authorizationEndpoint: own.authorization_endpoint ?? base?.authorizationEndpoint,
    tokenEndpoint: own.token_endpoint ?? base?.tokenEndpoint,
    revocationEndpoint: own.revocation_endpoint ?? base?.revocationEndpoint,
    scopes: own.scopes ?? base?.scopes ?? [],
    scopeSeparator: own.scope_separator ?? base?.scopeSeparator,
    authorizationParams: own.authorization_params ?? base?.authorizationParams,
    clientAuth: own.client_auth ?? base?.clientAuth,
    apiBaseUrl,
    apiBaseUrlField: base?.apiBaseUrlField,
    apiHosts: own.api_hosts ?? (own.api_base_url ? [new URL(own.api_base_url).hostname] : base!.apiHosts),
    apiHeaders: base?.apiHeaders,
    clientId: own.client_id ?? base?.clientId,
    clientSecret: own.client_secret ?? base?.clientSecret,
  };
}

function settingOf(provider: string, part: string): string {
  return `OAUTH_${provider.toUpperCase()}_${part}`;
}
