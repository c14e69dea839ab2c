import { checkFileStoreSettings, fileStoreSettings } from '@aos/file-store';
import { booleanText, commaList, port, urlOf, wholeNumber } from '@aos/platform';
import { serviceConfigSchema } from '@aos/service';
import { z } from 'zod';
import { explainBadAddress } from './http/paths/public-path.js';
import { trustedProxies } from './http/trusted-proxies.js';

/** A comma list of host names without a port, or `*` for any. */
const hostNames = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^(\*|\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)$/,
          'must be host names without a port, or *',
        ),
    ),
  );

/** A comma list of origins, or `*` for any. */
const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^(\*|https?:\/\/[a-z0-9.-]+(:\d{1,5})?)$/,
          'must be origins such as https://wiki.example.com, or *',
        ),
    ),
  );

/** A comma list of origins as browsers send them. */
const exactOrigins = commaList.pipe(
  z.array(
    z
      .string()
      .refine(
        (text) => /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text,
        'must be exact origins such as https://app.example.com: no path, no usual port, no *',
      ),
  ),
);

/** Settings of the gateway beside those of every service. */
export const gatewayConfigSchema = serviceConfigSchema
  .extend({
    ...fileStoreSettings,
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8080),
    /** The address under which clients reach the service, with a path if it has one; by default where it listens. */
    PUBLIC_BASE_URL: urlOf('http', 'https').superRefine(refuseBadAddress).optional(),
    /** The platform administrator's key. Without it no team can be created. */
    ADMIN_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
    /** Requests of one credential; 0 = unlimited. */
    RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000).default(6000),
    /** Failed authentications of one client address. */
    AUTH_FAILURES_PER_MINUTE: wholeNumber(1, 10_000_000).default(600),
    /** Event streams, waits and downloads that one credential, and one team, has open at once at one gateway. */
    HELD_REQUESTS_PER_CREDENTIAL: wholeNumber(1, 1_000_000).default(500),
    HELD_REQUESTS_PER_TEAM: wholeNumber(1, 1_000_000).default(1000),
    /** A comment goes out in an event stream that was silent for so long; proxies cut what they take for dead. */
    EVENT_STREAM_KEEP_ALIVE_MS: wholeNumber(100, 600_000).default(15_000),
    /** Names under which the MCP endpoint is reached, and origins of web pages that may use it, beside its own. */
    MCP_ALLOWED_HOSTS: hostNames.default([]),
    MCP_ALLOWED_ORIGINS: hostNames.default([]),
    /** Web pages of other origins that may call the API with a bearer credential. */
    CORS_ALLOWED_ORIGINS: exactOrigins.default([]),
    /** A separate origin for artifact pages; the gateway's by default. */
    ARTIFACTS_ORIGIN: urlOf('http', 'https').optional(),
    /** Web pages that may have pages of artifacts in a frame. */
    ARTIFACTS_FRAME_ANCESTORS: origins.default([]),
    /** How long requests are still taken after the process was told to end, until no balancer sends any. */
    SHUTDOWN_DELAY_MS: wholeNumber(0, 60_000).default(0),
    /** On while the launcher still has to set the product up; it then sends `setup-done`. */
    READY_AFTER_SETUP: booleanText.default(false),
    /** The proxies in front whose X-Forwarded-For is believed. */
    TRUST_PROXY: trustedProxies.default(false),
  })
  .superRefine(checkFileStoreSettings)
  .transform((config) => ({
    ...config,
    PUBLIC_BASE_URL: (config.PUBLIC_BASE_URL ?? listenAddress(config)).replace(/\/+$/, ''),
  }));

function refuseBadAddress(text: string, context: z.RefinementCtx): void {
  const reason = URL.canParse(text) ? explainBadAddress(text) : undefined;
  if (reason !== undefined) context.issues.push({ code: 'custom', message: reason, input: text });
}

function listenAddress({ HOST, PORT }: { HOST: string; PORT: number }): string {
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

export type GatewayConfig = z.output<typeof gatewayConfigSchema>;

/** Injection token of the settings. */
export const GatewaySettings = Symbol('GatewaySettings');
