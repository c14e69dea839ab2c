import { randomBytes } from 'node:crypto';
import { loadServiceConfig } from '@aos/service';
import { createProductDatabase, testEnvironment, type TestDatabase } from '@aos/testing';
import { gatewayConfigSchema, type GatewayConfig } from '../src/gateway.config.js';
import { gatewayService, startGateway } from '../src/gateway.service.js';

export interface CallOptions {
  readonly method?: string;
  readonly key?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface TeamAtGateway {
  readonly id: string;
  readonly key: string;
}

export interface GatewayInProcess {
  readonly url: string;
  readonly database: TestDatabase;
  readonly environment: Readonly<Record<string, string>>;
  readonly app: Awaited<ReturnType<typeof startGateway>>['app'];
  /** One request with JSON in and out. */
  call<Body = Record<string, unknown>>(path: string, options?: CallOptions): Promise<CallAnswer<Body>>;
  newTeam(): Promise<TeamAtGateway>;
  /** One more on the same stores. */
  another(environment?: Readonly<Record<string, string>>): Promise<GatewayInProcess>;
  stop(): Promise<void>;
}

export function gatewayConfig(overrides: Record<string, string>): GatewayConfig {
  return loadServiceConfig('gateway', gatewayConfigSchema, testEnvironment(overrides));
}

/** The gateway in this process, on a database of its own and a port that the system chose. */
export async function startGatewayInProcess(
  environment: Readonly<Record<string, string>> = {},
): Promise<GatewayInProcess> {
  const database = await createProductDatabase();
  const settings = testEnvironment({
    ADMIN_KEY: randomBytes(32).toString('base64url'),
    // The same for all gateways, whatever port the system chooses.
    PUBLIC_BASE_URL: 'http://gateway.test',
    ...environment,
    DATABASE_URL: database.url,
  });
  const first = await startOn(database, settings);
  return {
    ...first,
    stop: async () => {
      await first.stop();
      await database.drop();
    },
  };
}

async function startOn(database: TestDatabase, settings: Record<string, string>): Promise<GatewayInProcess> {
  const { app, port, close } = await startGateway(gatewayService(), { ...gatewayConfig(settings), PORT: 0 });
  const url = `http://127.0.0.1:${port}`;
  const call: GatewayInProcess['call'] = (path, options) => callJson(`${url}${path}`, options);
  return {
    url,
    database,
    environment: settings,
    app,
    call,
    newTeam: async () => {
      const { body } = await call<{ team_id: string; api_key: { key: string } }>('/v2/teams', {
        key: settings['ADMIN_KEY'],
        body: {},
      });
      return { id: body.team_id, key: body.api_key.key };
    },
    another: (environment = {}) => startOn(database, { ...settings, ...environment }),
    stop: close,
  };
}

async function callJson<Body>(
  url: string,
  { method, key, body, headers = {} }: CallOptions = {},
): Promise<CallAnswer<Body>> {
  const answer = await fetch(url, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
  };
}
