import { egressSettings } from '@aos/egress';
import { booleanText, commaList, port, urlOf, wholeNumber } from '@aos/platform';
import { serviceConfigSchema } from '@aos/service';
import { z } from 'zod';
import { clientSettings, providersSettingSchema } from '../providers/provider-settings.js';

const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text,
    'must be origins such as https://app.example.com, separated by commas',
  );

/** Settings of this service beside those of every service. */
export const connectionsConfigSchema = serviceConfigSchema
  .extend({
    ...egressSettings,
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8080),
    /** The address under which browsers reach the gateway; providers send them back to it. */
    PUBLIC_BASE_URL: urlOf('http', 'https').optional(),
    /** Providers beside the built-in ones, and what is different of those. */
    OAUTH_PROVIDERS: z.string().default('{}').pipe(providersSettingSchema),
    /** Origins to which a browser may return after a consent. */
    OAUTH_RETURN_ORIGINS: z.string().default('').pipe(commaList).pipe(z.array(origin)),
    /** Whether a person is asked, with the name of the team, before a consent counts; unset: if there are several teams. */
    OAUTH_CONFIRM_CONSENT: booleanText.optional(),
    /** How often tokens that are about to end are looked for. */
    OAUTH_REFRESH_EVERY_MS: wholeNumber(50, 600_000).default(5_000),
    /** After this time a refresh whose process died is taken over. */
    OAUTH_REFRESH_LEASE_MS: wholeNumber(500, 600_000).default(30_000),
    ...clientSettings,
  })
  .transform((config) => ({
    ...config,
    PUBLIC_BASE_URL: (config.PUBLIC_BASE_URL ?? listenAddress(config)).replace(/\/+$/, ''),
  }));

function listenAddress({ HOST, PORT }: { HOST: string; PORT: number }): string {
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

export type ConnectionsConfig = z.output<typeof connectionsConfigSchema>;

/** Injection token of the settings. */
export const ConnectionSettings = Symbol('ConnectionSettings');
