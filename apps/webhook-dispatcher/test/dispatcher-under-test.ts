import {
  createWebhook,
  getWebhookDelivery,
  type DeliveryStatus,
  type EventDefinition,
  type OperationResponse,
  type Webhook,
} from '@aos/contracts';
import { newEvent, type NewEvent } from '@aos/events';
import { ServiceClient } from '@aos/messaging';
import { loadServiceConfig, startService, type RunningService } from '@aos/service';
import {
  createProductDatabase,
  eventually,
  startEventLog,
  TeamCaller,
  testEnvironment,
  type EventLog,
  type TestDatabase,
} from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { service } from '../src/index.js';

/** What tests do with webhooks, over Redis as the gateway does it. */
export interface WebhooksClient {
  readonly teamId: string;
  readonly call: TeamCaller['call'];
  readonly succeed: TeamCaller['succeed'];
  subscribe(url: string, ...events: string[]): Promise<Webhook>;
  /** A delivery with its attempts, once it is what it is to become. */
  reach(
    subscriptionId: string,
    deliveryId: string,
    status: DeliveryStatus,
  ): Promise<OperationResponse<typeof getWebhookDelivery>>;
}

export interface DispatcherUnderTest extends WebhooksClient {
  readonly database: TestDatabase;
  readonly environment: Record<string, string>;
  readonly running: RunningService;
  readonly runs: EventLog;
  /** The same service as another team sees it. */
  anotherTeam(): WebhooksClient;
  stop(): Promise<void>;
}

/** Receivers of tests are on this machine. */
export const loopbackAllowed = { EGRESS_ALLOW_CIDRS: '127.0.0.0/8' };

export function startDispatcher(
  environment: Record<string, string>,
  definition = service,
): Promise<RunningService> {
  return startService(definition, loadServiceConfig(service.name, service.configSchema, environment));
}

export async function startWebhooks(
  overrides: Record<string, string> = {},
  definition = service,
): Promise<DispatcherUnderTest> {
  const database = await createProductDatabase();
  const environment = testEnvironment({ DATABASE_URL: database.url, ...loopbackAllowed, ...overrides });
  const [runs, running] = await Promise.all([
    startEventLog('runs', environment),
    startDispatcher(environment, definition),
  ]);
  const client = running.app.get(ServiceClient);
  return {
    ...webhooksClient(client),
    anotherTeam: () => webhooksClient(client),
    database,
    environment,
    running,
    runs,
    stop: async () => {
      await Promise.all([running.close(), runs.stop()]);
      await database.drop();
    },
  };
}

/** The example of an event, as one of a team. */
export function exampleOf<E extends EventDefinition>(
  event: E,
  teamId: string,
  more: Partial<NewEvent> = {},
): NewEvent {
  return newEvent({ event, teamId, data: event.example as never, ...more });
}

export function webhooksClient(client: ServiceClient, teamId = uuidv7()): WebhooksClient {
  const { call, succeed } = new TeamCaller(client, teamId);
  const reach: WebhooksClient['reach'] = (subscriptionId, deliveryId, status) =>
    eventually(async () => {
      const whole = await succeed(getWebhookDelivery, { params: { subscriptionId, deliveryId } });
      if (whole.status !== status) throw new Error(`The delivery is ${whole.status}, not ${status}`);
      return whole;
    });
  return {
    teamId,
    call,
    succeed,
    reach,
    subscribe: async (url, ...events) =>
      (await succeed(createWebhook, { body: { url, events } })).webhook as Webhook,
  };
}
