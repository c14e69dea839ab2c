import {
  runCompleted,
  runMessageCreated,
  runStarted,
  type EventDefinition,
  type EventUsage,
} from '@aos/contracts';
import { newEvent, type NewEvent } from '@aos/events';
import { ServiceClient } from '@aos/messaging';
import { loadServiceConfig, startService, type RunningService } from '@aos/service';
import {
  createProductDatabase,
  startEventLog,
  TeamCaller,
  testEnvironment,
  type EventLog,
  type TestDatabase,
} from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { service } from '../src/index.js';

export interface BillingUnderTest {
  readonly database: TestDatabase;
  readonly environment: Record<string, string>;
  readonly running: RunningService;
  /** The log of the run service, without the service. */
  readonly runs: EventLog;
  /** A team that no other test knows. */
  team(teamId?: string): TeamCaller;
  stop(): Promise<void>;
}

export function startReplica(environment: Record<string, string>): Promise<RunningService> {
  return startService(service, loadServiceConfig(service.name, service.configSchema, environment));
}

export async function startBilling(overrides: Record<string, string> = {}): Promise<BillingUnderTest> {
  const database = await createProductDatabase();
  const environment = testEnvironment({ DATABASE_URL: database.url, ...overrides });
  const [runs, running] = await Promise.all([startEventLog('runs', environment), startReplica(environment)]);
  return {
    database,
    environment,
    running,
    runs,
    team: (teamId) => new TeamCaller(running.app.get(ServiceClient), teamId),
    stop: async () => {
      await Promise.all([running.close(), runs.stop()]);
      await database.drop();
    },
  };
}

/** The example of an event as one of a team, with what it says was used. */
export function eventOf<E extends EventDefinition>(
  event: E,
  teamId: string,
  more: { data?: object; usage?: EventUsage } = {},
): NewEvent {
  const data = { ...(event.example as object), ...more.data } as never;
  return newEvent({ event, teamId, data, usage: more.usage });
}

/** The events of a run with one answer of a model, as the run service records them. */
export function eventsOfRun(
  teamId: string,
  options: { agentId?: string; tokens?: number; model?: string; status?: 'completed' | 'stopped' } = {},
): NewEvent[] {
  const { agentId = uuidv7(), tokens = 10, model = 'builtin/scripted', status = 'completed' } = options;
  const agent = { agent_id: agentId };
  const data = { ...agent, team_id: teamId };
  const used = { model, input_tokens: tokens, output_tokens: 2 * tokens, messages: 1, active_ms: 250 };
  return [
    eventOf(runStarted, teamId, { data, usage: { ...agent, agent_name: `Agent ${agentId}` } }),
    eventOf(runMessageCreated, teamId, { usage: { ...agent, ...used } }),
    eventOf(runCompleted, teamId, { data: { ...data, status } }),
  ];
}
