import { parseDatabaseUrl } from '@aos/persistence';
import { commaList } from '@aos/platform';
import { z } from 'zod';

/** The URL of a Postgres, which may name several hosts as libpq's do. */
export const databaseUrl = z
  .string()
  .refine(
    (text) => parseDatabaseUrl(text) !== undefined,
    'must be a URL that begins with postgres:// or postgresql://',
  );

const hostAndPort = /^(?<host>\[[0-9a-fA-F:.]+\]|[^[\]:\s]+)(?::(?<port>\d{1,5}))?$/;
const sentinelPort = 26_379;

/** `one:26379,two`: hosts with their ports, by default that of Sentinel. */
export const hostList = commaList.transform((items, context) =>
  items.map((item) => {
    const { host, port = String(sentinelPort) } = hostAndPort.exec(item)?.groups ?? {};
    if (host && Number(port) <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
    context.addIssue({ code: 'custom', message: 'must be hosts with ports, as in one:26379,two:26379' });
    return z.NEVER;
  }),
);
