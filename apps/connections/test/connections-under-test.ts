import {
  getConnection,
  openConnections,
  reportConnectionFailure,
  startNativeOAuth,
  type Connection,
  type OperationResponse,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { loadServiceConfig, startService, type RunningService } from '@aos/service';
import {
  callbackRequest,
  createProductDatabase,
  startAuthorizationServer,
  TeamCaller,
  testEnvironment,
  type AuthorizationServerOptions,
  type TestAuthorizationServer,
  type TestDatabase,
} from '@aos/testing';
import { service } from '../src/index.js';

export const baseUrl = 'http://127.0.0.1:8080';
export const redirectUri = `${baseUrl}/v2/connections/oauth/callback`;
export const returnOrigin = 'https://app.example.com';

type Started = OperationResponse<typeof startNativeOAuth>;

/** What tests do with connections, over Redis as the gateway and the run service do it. */
export class ConnectionsClient extends TeamCaller {
  constructor(
    private readonly client: ServiceClient,
    private readonly provider: TestAuthorizationServer,
  ) {
    super(client);
  }

  start(body: object = {}): Promise<Started> {
    return this.succeed(startNativeOAuth, { params: { provider: 'acme' }, body });
  }

  /** A person consents, and the browser comes back. */
  async finish({ authorization_url: url }: Started) {
    return this.finishWith(await this.provider.consent(url));
  }

  finishWith(redirected: URL) {
    const { operation, given } = callbackRequest(redirected);
    return this.call(operation, given);
  }

  /** As `finishWith`, but anything else than success is an error. */
  comeBack(redirected: URL) {
    const { operation, given } = callbackRequest(redirected);
    return this.succeed(operation, given);
  }

  async connect(body: object = {}): Promise<Connection> {
    const started = await this.start(body);
    const answer = await this.finish(started);
    if (answer.status !== 200) throw new Error(`The callback answered ${answer.status}: ${answer.text}`);
    return this.read(started.connection_id);
  }

  read(id: string): Promise<Connection> {
    return this.succeed(getConnection, { params: { connection_id: id } }) as Promise<Connection>;
  }

  async open(id: string) {
    const request = { team_id: this.teamId, connection_ids: [id] };
    return (await this.client.call(openConnections, request)).connections[0]!;
  }

  /** The bearer that a worker would send. */
  async token(id: string): Promise<string> {
    const opened = await this.open(id);
    if (!opened.ok) throw new Error(`${opened.obstacle}: ${opened.message}`);
    return opened.connection.headers['Authorization']!.replace('Bearer ', '');
  }

  report(
    id: string,
    version: number,
    failure: { kind: 'unauthorized' } | { kind: 'insufficient_scope'; scope: string },
  ) {
    const request = { team_id: this.teamId, connection_id: id, version, failure };
    return this.client.call(reportConnectionFailure, request);
  }
}

export interface ConnectionsUnderTest {
  readonly team: ConnectionsClient;
  readonly provider: TestAuthorizationServer;
  readonly database: TestDatabase;
  readonly environment: Record<string, string>;
  readonly running: RunningService;
  anotherTeam(): ConnectionsClient;
  /** One more replica. */
  replica(): Promise<RunningService>;
  /** What was told of a connection: the events, and their status. */
  events(id: string): Promise<string[]>;
  stop(): Promise<void>;
}

export async function startConnections(
  options: { environment?: Record<string, string>; server?: Partial<AuthorizationServerOptions> } = {},
): Promise<ConnectionsUnderTest> {
  const provider = await startAuthorizationServer({ redirectUri, ...options.server });
  const database = await createProductDatabase();
  const environment = testEnvironment({
    DATABASE_URL: database.url,
    // One address only: the others of this machine stand for private ones.
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    PUBLIC_BASE_URL: baseUrl,
    OAUTH_RETURN_ORIGINS: returnOrigin,
    OAUTH_REFRESH_EVERY_MS: '100',
    OAUTH_CONFIRM_CONSENT: 'false',
    OAUTH_PROVIDERS: JSON.stringify({
      acme: {
        title: 'Acme',
        issuer: provider.issuer,
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
        scopes: ['openid', 'offline_access'],
        api_base_url: 'https://api.acme.example',
      },
    }),
    ...options.environment,
  });
  const running = await startReplica(environment);
  const client = running.app.get(ServiceClient);
  const replicas: RunningService[] = [];
  return {
    team: new ConnectionsClient(client, provider),
    anotherTeam: () => new ConnectionsClient(client, provider),
    provider,
    database,
    environment,
    running,
    replica: async () => {
      const replica = await startReplica(environment);
      replicas.push(replica);
      return replica;
    },
    events: async (id) => {
      const rows = await database.query<{ event: string; status: string }>(
        `SELECT event, data->>'status' AS status FROM connections.logged_event
          WHERE data->>'connection_id' = $1 ORDER BY created_at`,
        [id],
      );
      return rows.map(({ event, status }) => `${event} ${status}`);
    },
    stop: async () => {
      await Promise.all([running, ...replicas].map((one) => one.close()));
      await provider.close();
      await database.drop();
    },
  };
}

export function startReplica(environment: Record<string, string>): Promise<RunningService> {
  return startService(service, loadServiceConfig(service.name, service.configSchema, environment));
}
