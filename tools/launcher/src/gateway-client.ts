import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.js';

const pauseMs = 100;
const answerTimeoutMs = 5_000;
const setupPatienceMs = 60_000;

export interface DemoTeam {
  team_id: string;
  api_key: string;
}

/** Resolves when the gateway says that all is ready. */
export async function untilReady(baseUrl: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const response = await ask(`${baseUrl}/readyz`, {}, signal);
    if (response?.status === 200) return;
    await delay(pauseMs, undefined, { signal });
  }
}

/** Makes the team of the first start. Asking again is harmless: the answer is kept under its idempotency key. */
export async function createDemoTeam(
  baseUrl: string,
  adminKey: string,
  signal: AbortSignal,
): Promise<DemoTeam> {
  const deadline = Date.now() + setupPatienceMs;
  for (;;) {
    const response = await ask(
      `${baseUrl}/v2/teams`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${adminKey}`,
          'content-type': 'application/json',
          'idempotency-key': demoTeamKey(adminKey),
        },
        body: JSON.stringify({ name: 'Demo team' }),
      },
      signal,
    );
    if (response?.status === 201) return demoTeamOf(response.body);
    // Not there yet, busy, or at work on our own earlier request.
    const passing = !response || response.status >= 500 || [409, 429].includes(response.status);
    if (!passing || Date.now() > deadline) {
      const answer = response ? `${response.status} ${response.body.slice(0, 200)}` : 'no answer';
      throw new StartError([`the demo team could not be created: ${answer}`]);
    }
    await delay(pauseMs, undefined, { signal });
  }
}

/**
 * Another data folder has another administrator, and gets a team of its own from the same database: the answer that the
 * first one got is sealed with keys that it does not have.
 */
function demoTeamKey(adminKey: string): string {
  return `demo-team-${createHash('sha256').update(adminKey).digest('hex').slice(0, 16)}`;
}

/** Whether this program still knows the key; undefined when it cannot tell. */
export async function isKeyAccepted(
  baseUrl: string,
  team: DemoTeam,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const response = await ask(
    `${baseUrl}/v2/teams/${team.team_id}`,
    { headers: { authorization: `Bearer ${team.api_key}` } },
    signal,
  );
  return response && response.status < 500 ? response.status !== 401 : undefined;
}

/** Where a person opens the console: signed in at the first opening, if the gateway gives a code for that. */
export async function consoleLink(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<string> {
  const response = await ask(
    `${baseUrl}/console/sign-in-codes`,
    { method: 'POST', headers: { authorization: `Bearer ${apiKey}` } },
    signal,
  );
  const { code } = (response?.status === 201 ? JSON.parse(response.body) : {}) as { code?: unknown };
  // In the fragment, which browsers send to no server and no log keeps.
  return typeof code === 'string' ? `${baseUrl}/console#code=${code}` : `${baseUrl}/console`;
}

interface Question {
  method?: 'POST';
  headers?: OutgoingHttpHeaders;
  body?: string;
}

interface Answer {
  status: number;
  body: string;
}

/** Undefined when there was no answer, which at this time only means not yet. */
async function ask(url: string, question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  try {
    return await exchange(url, question, AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Without `fetch`, for the launcher stays for as long as the program does, and 25 MiB of undici would with it. */
async function exchange(url: string, question: Question, signal: AbortSignal): Promise<Answer> {
  const { body, ...options } = question;
  const sent = request(url, { ...options, agent: false, signal }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, body: await text(response) };
}

function demoTeamOf(body: string): DemoTeam {
  const answer = JSON.parse(body) as { team?: { id?: unknown }; api_key?: { key?: unknown } };
  const team_id = answer.team?.id;
  const api_key = answer.api_key?.key;
  if (typeof team_id !== 'string' || typeof api_key !== 'string') {
    throw new StartError(['the demo team was created, but the answer has no id or key']);
  }
  return { team_id, api_key };
}
