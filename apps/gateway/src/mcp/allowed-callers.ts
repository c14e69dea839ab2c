import { AppError } from '@aos/contracts';
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';

/** In a list of hosts or origins: anything goes, where something in front looks after it. */
const any = '*';

/** From where a web page may speak, and under which names the endpoint may be reached. */
export interface AllowedCallers {
  readonly hosts: readonly string[];
  /** Names of hosts, whatever the scheme and port. */
  readonly origins: readonly string[];
  readonly exactOrigins: readonly string[];
}

/** The address of the service and loopback, always; what the operator names, too; and origins that have CORS. */
export function allowedCallers(settings: {
  readonly PUBLIC_BASE_URL: string;
  readonly MCP_ALLOWED_HOSTS: readonly string[];
  readonly MCP_ALLOWED_ORIGINS: readonly string[];
  readonly CORS_ALLOWED_ORIGINS: readonly string[];
}): AllowedCallers {
  const own = [new URL(settings.PUBLIC_BASE_URL).hostname, ...localhostAllowedHostnames()];
  return {
    hosts: [...own, ...settings.MCP_ALLOWED_HOSTS],
    origins: [...own, ...settings.MCP_ALLOWED_ORIGINS],
    exactOrigins: settings.CORS_ALLOWED_ORIGINS,
  };
}

/** Refuses what a web page could make a browser send: a name that was rebound to this address, or a foreign origin. */
export function refuseForeign(
  { hosts, origins, exactOrigins }: AllowedCallers,
  headers: { readonly host?: string | undefined; readonly origin?: string | undefined },
): void {
  if (!hosts.includes(any) && !validateHostHeader(headers.host, [...hosts]).ok) {
    throw new AppError('forbidden', 'This Host is not allowed here; see MCP_ALLOWED_HOSTS.');
  }
  if (headers.origin !== undefined && exactOrigins.includes(headers.origin)) return;
  if (!origins.includes(any) && !validateOriginHeader(headers.origin, [...origins]).ok) {
    throw new AppError(
      'forbidden',
      'This Origin is not allowed here; see CORS_ALLOWED_ORIGINS and MCP_ALLOWED_ORIGINS.',
    );
  }
}
