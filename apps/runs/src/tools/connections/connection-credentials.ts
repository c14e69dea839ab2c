import { AppError, type OpenConnection } from '@aos/contracts';
import { type Egress, EgressError, isHostOf } from '@aos/egress';
import { McpFailure } from '@aos/mcp-client';
import { ConnectionProblem } from './call-failure.js';
import type { ConnectionAccess } from './connection-access.js';
import type { SecretValues } from './secret-values.js';

/** `fetch` for the client of an MCP server: through the guard, with what the connection authenticates with. */
export function connectionFetch(egress: Egress, credentials: ConnectionCredentials): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    try {
      return await credentials.send(url, async (headers) => {
        const all = new Headers(init?.headers);
        for (const [name, value] of Object.entries(headers)) all.set(name, value);
        const response = await egress.fetch(url, { ...init, headers: all, redirect: 'manual' });
        if (response.status === 401) await response.body?.cancel();
        return response;
      });
    } catch (error) {
      if (error instanceof ConnectionProblem) throw refused(error);
      if (error instanceof AppError)
        throw new McpFailure('unsent', 'A part of the service is away for a moment.');
      throw error;
    }
  };
}

/** A request that was refused has had no effect. */
function refused({ passing, message }: ConnectionProblem): McpFailure {
  return new McpFailure(passing ? 'unsent' : 'http', message, 401);
}

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

interface CredentialParts {
  readonly access: ConnectionAccess;
  readonly teamId: string;
  readonly secrets: SecretValues;
  /** Aborted when the run leaves the process. */
  readonly signal: AbortSignal;
}

/** The credentials of one connection during one run. A refusal by the server triggers a refresh. */
export class ConnectionCredentials {
  private present!: OpenConnection;
  /** Set when there is nothing more to try: the run cannot go on. */
  lost: ConnectionProblem | undefined;

  constructor(
    opened: OpenConnection,
    private readonly parts: CredentialParts,
  ) {
    this.take(opened);
  }

  get connection(): OpenConnection {
    return this.present;
  }

  /** Whether what authenticates may be sent there. */
  covers({ hostname }: URL): boolean {
    return isHostOf(this.present.hosts, hostname);
  }

  /**
   * Sends a request with what authenticates, and once more if the server refuses it (401) and there is something newer.
   * Throws `ConnectionProblem` if it is refused in the end: then the request has had no effect.
   */
  async send<T extends Answer>(url: URL, request: (headers: Headers) => Promise<T>): Promise<T> {
    if (!this.covers(url)) throw new EgressError('forbidden', 'The address is none of the connection.');
    const first = this.present;
    const answer = await request(first.headers);
    if (answer.status === 403) await this.reportScope(first, answer);
    if (answer.status !== 401) return answer;
    await this.renew(first);
    const second = this.present;
    const again = await request(second.headers);
    if (again.status !== 401) return again;
    // Refused though it is new: the service is told, and most likely calls the connection broken.
    await this.renew(second);
    throw new ConnectionProblem(
      true,
      `The server of the connection "${second.name}" refuses its credentials.`,
    );
  }

  private take(opened: OpenConnection): void {
    this.present = opened;
    this.parts.secrets.add(opened.headers, opened.public_headers);
    if (opened.has_secret_address) this.parts.secrets.addAddress(opened.server_url);
  }

  private async renew(refused: OpenConnection): Promise<void> {
    // Another request of the run has been here before.
    if (this.present.version !== refused.version) return;
    const { access, teamId, signal } = this.parts;
    try {
      await access.report(refused, { kind: 'unauthorized' }, { teamId, signal });
      const [opened] = await access.open([refused.id], { teamId, signal });
      if (opened!.version === refused.version) throw stillRefused(refused);
      this.take(opened!);
    } catch (error) {
      if (error instanceof ConnectionProblem && !error.passing) this.lost = error;
      throw error;
    }
  }

  private async reportScope(refused: OpenConnection, { headers }: Answer): Promise<void> {
    const challenge = headers.get('www-authenticate') ?? '';
    if (!/\berror="?insufficient_scope\b/i.test(challenge)) return;
    const [, scope = ''] = /\bscope="([^"]{0,8192})"/i.exec(challenge) ?? [];
    const { access, teamId, signal } = this.parts;
    await access.report(refused, { kind: 'insufficient_scope', scope }, { teamId, signal });
  }
}

/** The provider is away: the connection is whole, but what it has is not taken. */
function stillRefused({ name }: OpenConnection): ConnectionProblem {
  return new ConnectionProblem(true, `The credentials of the connection "${name}" could not be renewed.`);
}
