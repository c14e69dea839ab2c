import { randomBytes, randomUUID } from 'node:crypto';
import { Metrics } from '@aos/platform';
import { createProductDatabase, testEnvironment, type TestDatabase } from '@aos/testing';
import { gatewayService, startGateway } from '../src/gateway.service.js';
import { gatewayConfig } from './gateway-in-process.js';
import { RunsStandIn } from './runs-stand-in.js';

export type RunningGateway = Awaited<ReturnType<typeof startGateway>> & { readonly url: string };

interface IssuedKey {
  readonly id: string;
  readonly key: string;
}

/** A gateway, the owner of runs behind it, and a team that calls. */
export class RunsBehindGateway {
  readonly agentId = randomUUID();
  private readonly gateways: RunningGateway[];

  private constructor(
    readonly database: TestDatabase,
    readonly environment: Record<string, string>,
    readonly runs: RunsStandIn,
    readonly gateway: RunningGateway,
    readonly teamId: string,
    readonly key: string,
  ) {
    this.gateways = [gateway];
  }

  static async start(more: Readonly<Record<string, string>> = {}): Promise<RunsBehindGateway> {
    const database = await createProductDatabase();
    const adminKey = randomBytes(32).toString('base64url');
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      ADMIN_KEY: adminKey,
      RPC_TIMEOUT_MS: '1000',
      ...more,
    });
    const runs = new RunsStandIn(environment);
    await runs.start();
    const gateway = await startGatewayWith(environment);
    const team = await makeTeam(gateway.url, adminKey);
    return new RunsBehindGateway(database, environment, runs, gateway, team.id, team.key);
  }

  newTeam(): Promise<{ id: string; key: string }> {
    return makeTeam(this.gateway.url, this.environment['ADMIN_KEY']!);
  }

  /** One more gateway on the same stores. */
  async anotherGateway(more: Readonly<Record<string, string>> = {}): Promise<RunningGateway> {
    const gateway = await startGatewayWith({ ...this.environment, ...more });
    this.gateways.push(gateway);
    return gateway;
  }

  async stop(): Promise<void> {
    await this.gateway.close();
    await this.runs.stop();
    await this.database.drop();
  }

  request(path: string, init: RequestInit = {}, url = this.gateway.url): Promise<Response> {
    const headers = { authorization: `Bearer ${this.key}`, ...(init.headers as Record<string, string>) };
    return fetch(`${url}${path}`, { ...init, headers });
  }

  post(path: string, body: object, init: RequestInit = {}, url?: string): Promise<Response> {
    const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string>) };
    return this.request(path, { ...init, method: 'POST', headers, body: JSON.stringify(body) }, url);
  }

  async newKey(): Promise<IssuedKey> {
    const answer = await this.post(`/v2/teams/${this.teamId}/api-keys`, { name: 'Another' });
    return ((await answer.json()) as { api_key: IssuedKey }).api_key;
  }

  /** A run that exists already. */
  addRun(): string {
    return this.runs.add(this.teamId, this.agentId).id;
  }

  /** How many streams, waits or downloads are open, as the gateway's metrics tell. */
  async open(kind: 'streams' | 'waits' | 'downloads', url = this.gateway.url): Promise<number> {
    const gateway = this.gateways.find((one) => one.url === url);
    const text = await gateway?.app.get(Metrics).text();
    const name = kind === 'downloads' ? 'aos_open_downloads' : `aos_open_run_${kind}`;
    return Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'm').exec(text ?? '')?.[1]);
  }
}

async function startGatewayWith(environment: Record<string, string>): Promise<RunningGateway> {
  const gateway = await startGateway(gatewayService(), { ...gatewayConfig(environment), PORT: 0 });
  return { ...gateway, url: `http://127.0.0.1:${gateway.port}` };
}

async function makeTeam(url: string, adminKey: string): Promise<{ id: string; key: string }> {
  const answer = await fetch(`${url}/v2/teams`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Team' }),
  });
  const { team_id, api_key } = (await answer.json()) as { team_id: string; api_key: IssuedKey };
  return { id: team_id, key: api_key.key };
}
