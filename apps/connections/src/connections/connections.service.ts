import {
  AppError,
  notFound,
  type ConnectionType,
  type createConnection,
  type OperationRequest,
  type updateConnection,
} from '@aos/contracts';
import { isHostOf, type Egress } from '@aos/egress';
import { Entitlements } from '@aos/entitlements';
import { newId, type Page, type PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionEgress } from '../config/connection-egress.js';
import { Providers } from '../providers/providers.js';
import { ConnectionEvents } from './connection-events.js';
import { planCredentials, type Credentials, type GivenCredentials } from './connection-plan.js';
import { ConnectionSecrets } from './connection-secrets.js';
import type { ConnectionEntity } from './connection.entity.js';
import { splitAddress } from './secret-address.js';
import {
  ConnectionsRepository,
  unchanged,
  type ConnectionChanges,
  type ConnectionCondition,
  type NewConnection,
} from './connections.repository.js';

/** A build names at most a hundred; more than this in a team is a fault of a program. */
export const maxConnections = 1_000;
const mcpProvider = 'mcp';

/** A change that was looked at before the transaction: a secret must not meet a server that came in between. */
export interface PreparedChange {
  readonly where: ConnectionCondition;
  readonly changes: ConnectionChanges;
}

type NewFields = OperationRequest<typeof createConnection>['body'];
type ChangedFields = OperationRequest<typeof updateConnection>['body'];

@Injectable()
export class ConnectionsService {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly secrets: ConnectionSecrets,
    private readonly events: ConnectionEvents,
    private readonly providers: Providers,
    private readonly entitlements: Entitlements,
    @Inject(ConnectionEgress) private readonly egress: Egress,
  ) {}

  list(teamId: string, type: ConnectionType | undefined, page: PageRequest): Promise<Page<ConnectionEntity>> {
    return this.connections.list(teamId, type, page);
  }

  async find(teamId: string, id: string): Promise<ConnectionEntity> {
    const found = await this.connections.find(teamId, id);
    if (!found) throw notFound('The connection');
    return found;
  }

  /** Looks at everything that may be wrong with a new connection; asks DNS, so it is called outside a transaction. */
  async prepare(teamId: string, fields: NewFields): Promise<NewConnection> {
    const type = fields.type ?? 'custom_mcp';
    const plan = planCredentials(type, fields);
    if (!plan.ok) throw new AppError('invalid_request', plan.problem);
    if (type === 'custom_mcp') await this.entitlements.assertFeature(teamId, 'mcp');
    const id = newId();
    const { provider, server_url: url } =
      type === 'native' ? this.nativeServer(fields) : await this.mcpServer(fields);
    return {
      id,
      team_id: teamId,
      name: fields.name,
      type,
      provider,
      ...this.stored(id, plan.credentials),
      ...this.addressed(id, url, plan.credentials),
    };
  }

  /** Inside a transaction. */
  async create(made: NewConnection): Promise<ConnectionEntity> {
    await this.connections.lockCount(made.team_id);
    if ((await this.connections.count(made.team_id)) >= maxConnections) {
      throw new AppError('limit_reached', `A team has at most ${maxConnections} connections.`);
    }
    const row = await this.connections.insert(made);
    await this.events.updated(row);
    return row;
  }

  /** Validates a change; resolves the host name. */
  async prepareChange(teamId: string, id: string, fields: ChangedFields): Promise<PreparedChange> {
    const present = await this.find(teamId, id);
    const movesTo = fields.server_url === present.server_url ? undefined : fields.server_url;
    const given = givenCredentials(present, fields);
    if (movesTo !== undefined) await this.assertMovable(present, movesTo, given !== undefined);
    const plan = given && planCredentials(present.type, given);
    if (plan && !plan.ok) throw new AppError('invalid_request', plan.problem);
    if (plan) assertAddressed(present, plan.credentials, fields);
    const isOfCredentials = movesTo !== undefined || plan !== undefined;
    return {
      where: isOfCredentials ? unchanged(present) : { id, team_id: teamId },
      changes: {
        ...(fields.name === undefined ? {} : { name: fields.name }),
        ...(movesTo === undefined ? {} : { server_url: movesTo }),
        ...(plan ? this.replaced(present.id, plan.credentials) : {}),
        ...(plan && movesTo !== undefined ? this.addressed(present.id, movesTo, plan.credentials) : {}),
        ...(isOfCredentials ? { credentials_version: present.credentials_version + 1 } : {}),
      },
    };
  }

  /** Inside a transaction. */
  async change({ where, changes }: PreparedChange): Promise<ConnectionEntity> {
    const row = await this.connections.update(where, changes);
    if (!row) {
      await this.find(where.team_id, where.id);
      throw new AppError('invalid_state', 'The credentials of the connection have changed; try again.');
    }
    await this.events.updated(row);
    return row;
  }

  /** Inside a transaction. Gives what was there. */
  async delete(teamId: string, id: string): Promise<ConnectionEntity> {
    const row = await this.connections.delete(teamId, id);
    if (!row) throw notFound('The connection');
    return row;
  }

  /** Whether the address may be called, as far as can be said now; each call asks again. */
  async assertAllowed(field: string, url: string): Promise<void> {
    const verdict = await this.egress.check(url);
    if (!verdict.ok) throw new AppError('invalid_request', `${field}: ${verdict.reason}`);
  }

  private nativeServer({ provider, server_url: url }: NewFields) {
    if (provider === undefined)
      throw new AppError('invalid_request', 'provider: is required for a native connection');
    const known = this.providers.find(provider);
    if (!known) throw new AppError('invalid_request', 'provider: must be in the plugin catalog');
    if (url !== undefined && !isAt(known.apiHosts, url)) {
      throw new AppError('invalid_request', 'server_url: must be an address of the provider');
    }
    return { provider, server_url: url ?? known.apiBaseUrl };
  }

  private async mcpServer({ provider, server_url: url }: NewFields) {
    if (url === undefined) throw new AppError('invalid_request', 'server_url: is required for an MCP server');
    await this.assertAllowed('server_url', url);
    return { provider: provider ?? mcpProvider, server_url: url };
  }

  /** A secret is for the server that it was given for: a caller that may change a connection must not learn it elsewhere. */
  private async assertMovable(present: ConnectionEntity, movesTo: string, brings: boolean): Promise<void> {
    if (present.type === 'native') {
      throw new AppError('invalid_request', 'server_url: cannot be changed for a native connection');
    }
    if (!brings && present.auth_method !== 'none') {
      throw new AppError(
        'invalid_request',
        'server_url: another server needs its credentials given anew, in the same request',
      );
    }
    await this.assertAllowed('server_url', movesTo);
  }

  private stored(id: string, { authMethod, plaintext, secret, status }: Credentials) {
    return {
      auth_method: authMethod,
      status,
      headers: plaintext,
      sealed_headers: this.secrets.sealHeaders(id, secret),
      sealed_path: null,
    };
  }

  /** Stores only the origin unsealed if the URL itself is the credential. */
  private addressed(id: string, url: string, { authMethod }: Credentials) {
    if (authMethod !== 'url') return { server_url: url };
    const { origin, path } = splitAddress(url);
    return { server_url: origin, sealed_path: this.secrets.sealPath(id, path) };
  }

  /** New credentials: whatever was wrong with the old ones is over, and they are gone. */
  private replaced(id: string, given: Credentials): ConnectionChanges {
    return {
      ...this.stored(id, given),
      ...noTokens,
      broken_at: null,
      broken_reason: null,
    };
  }
}

/**
 * The credentials that a change brings, if it brings any. Another address of a connection whose address is its credential
 * is another credential; the one that is shown is none.
 */
function givenCredentials(
  { auth_method: method, server_url: shown }: ConnectionEntity,
  fields: ChangedFields,
): GivenCredentials | undefined {
  const { auth_method, headers, api_key, server_url: url } = fields;
  const isNamed = auth_method !== undefined || headers !== undefined || api_key !== undefined;
  if (method !== 'url') return isNamed ? fields : undefined;
  const staysSecret = (auth_method ?? 'url') === 'url' && headers === undefined && api_key === undefined;
  if (!staysSecret) return fields;
  return url === undefined || url === shown ? undefined : { auth_method: 'url' };
}

/** An address that is the credential comes with it, and one that was does not outlive it. */
function assertAddressed(
  { auth_method: former }: ConnectionEntity,
  { authMethod }: Credentials,
  { server_url: url }: ChangedFields,
): void {
  if (url !== undefined || (authMethod !== 'url' && former !== 'url')) return;
  throw new AppError(
    'invalid_request',
    'server_url: is required where the address is, or was, the credential',
  );
}

const noTokens: ConnectionChanges = {
  sealed_tokens: null,
  sealed_client_secret: null,
  oauth: null,
  oauth_scopes: [],
  required_scopes: [],
  token_obtained_at: null,
  token_stale_at: null,
  token_expires_at: null,
  refresh_at: null,
  refresh_failures: 0,
  refresh_lease_id: null,
  refresh_lease_until: null,
  refresh_interrupted: false,
};

function isAt(hosts: readonly string[], url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:' && isHostOf(hosts, new URL(url).hostname);
}
