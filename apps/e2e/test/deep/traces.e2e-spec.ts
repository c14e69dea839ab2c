import { randomBytes } from 'node:crypto';
import { startRun } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { respond, runIn } from '../../src/eventful-team.js';
import { receivedAt } from '../../src/received-events.js';
import { makeAgent, steps } from '../../src/sample-agents.js';
import { makeWebhook } from '../../src/sample-webhooks.js';
import { startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';
import { startTraceCollector, type CollectedSpan, type TraceCollector } from '../../src/trace-collector.js';

const secretText = 'Kakadu-73';
const callersSpan = 'b7ad6b7169203331';

/**
 * A run that says, asks and uses a tool which asks another service, followed from its request to its webhook. It is
 * accepted by one process and carried on by another.
 */
describe('the trace of a run', () => {
  const traceId = randomBytes(16).toString('hex');
  let collector: TraceCollector;
  let stack: Stack;
  let team: Team;
  let runId: string;

  beforeAll(async () => {
    collector = await startTraceCollector();
    stack = await startStack({
      together: false,
      services: ['agents-and-revisions', 'webhook-dispatcher'],
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '100',
        LOG_LEVEL: 'info',
      },
    });
    await stack.start('runs', { RUN_WORKERS: 'serve' });
    await stack.start('runs', { RUN_WORKERS: 'work' });
    team = await newTeam(await connectAdmin(stack));
    await makeWebhook(team, stack.receiver.url(`/hook?key=${secretText}`), ['run.completed']);
    const lines = [
      `say ${secretText}`,
      `tool write_memory {"path": "note.txt", "content": "${secretText}"}`,
      'approve Shall I?',
      'finish Done',
    ];
    const agentId = await makeAgent(team, steps(...lines));
    const request = {
      params: { teamId: team.id },
      body: { agent_id: agentId, message: secretText },
      headers: { traceparent: `00-${traceId}-${callersSpan}-01` },
    };
    runId = (await team.client.succeed<{ run_id: string }>(startRun, request)).run_id;
    await runIn(team, runId, 'waiting');
    await respond(team, runId, { approved: true });
    await runIn(team, runId, 'completed');
    await eventually(() => {
      expect(receivedAt(stack.receiver, `/hook?key=${secretText}`)).toHaveLength(1);
      expect(named('deliver run.completed')).toHaveLength(1);
    });
  });

  afterAll(async () => {
    await stack?.stop();
    await collector?.close();
  });

  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
  const named = (name: string) => ofTrace().filter((span) => span.name === name);

  /** The names of a span and of all above it, up to the caller's own. */
  function lineage(span: CollectedSpan): string[] {
    if (span.parentSpanId === callersSpan) return [`${span.service}: ${span.name}`];
    const parent = ofTrace().find(({ spanId }) => spanId === span.parentSpanId);
    return [`${span.service}: ${span.name}`, ...(parent ? lineage(parent) : ['(nothing)'])];
  }

  const request = ['runs: runs/startRun', 'gateway: runs/startRun', 'gateway: POST /v2/teams/:teamId/runs'];

  it.each([
    ['the request', 'POST /v2/teams/:teamId/runs', request.slice(2)],
    ['its way to the owner', 'runs/startRun', request],
    ['the run', 'invoke_agent', ['runs: invoke_agent', ...request]],
    ['a model call', 'chat scripted', ['runs: chat scripted', 'runs: invoke_agent', ...request]],
    [
      'a tool call',
      'execute_tool write_memory',
      ['runs: execute_tool write_memory', 'runs: invoke_agent', ...request],
    ],
    [
      'the event that is published',
      'publish run.completed',
      ['runs: publish run.completed', 'runs: invoke_agent', ...request],
    ],
    [
      'the event that is consumed',
      'process run.completed',
      [
        'webhook-dispatcher: process run.completed',
        'runs: publish run.completed',
        'runs: invoke_agent',
        ...request,
      ],
    ],
    [
      'the delivery',
      'deliver run.completed',
      [
        'webhook-dispatcher: deliver run.completed',
        'webhook-dispatcher: process run.completed',
        'runs: publish run.completed',
        'runs: invoke_agent',
        ...request,
      ],
    ],
  ])('has %s under what has led to it', async (_what, name, expected) => {
    await eventually(() => expect(named(name).map(lineage)).toContainEqual(expected));
  });

  it('has no span without its parent', async () => {
    await eventually(() => {
      const lost = ofTrace().filter((span) => lineage(span).includes('(nothing)'));
      expect(lost.map(({ name }) => name)).toEqual([]);
    });
    expect(new Set(ofTrace().map(({ service }) => service))).toEqual(
      new Set(['gateway', 'runs', 'agents-and-revisions', 'webhook-dispatcher']),
    );
  });

  it('goes on when the run does: both parts of it belong to its start', () => {
    const parts = named('invoke_agent').map(({ attributes }) => attributes);
    expect(parts.map((part) => part['aos.run.end']).sort()).toEqual(['asked', 'completed']);
    for (const part of parts) {
      expect(part).toMatchObject({ 'aos.run.id': runId, 'aos.team.id': team.id });
    }
  });

  it('tells what models and tools are asked by the conventions for them', () => {
    expect(named('chat scripted')[0]).toMatchObject({
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'builtin',
        'gen_ai.request.model': 'scripted',
        'gen_ai.usage.input_tokens': expect.any(Number) as number,
        'gen_ai.usage.output_tokens': expect.any(Number) as number,
      },
    });
    const [tool] = named('execute_tool write_memory');
    expect(tool).toMatchObject({
      failed: false,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'write_memory' },
    });
    // What the tool asks of another service is under it.
    const asked = ofTrace().find(
      ({ parentSpanId, kind }) => parentSpanId === tool!.spanId && kind === 'client',
    );
    expect(asked?.name).toMatch(/^agents-and-revisions\//);
  });

  it('tells no text of a team, no address and no credential', () => {
    expect(collector.spans.length).toBeGreaterThan(10);
    for (const secret of [secretText, team.key, stack.adminKey, '/hook']) {
      expect(collector.text()).not.toContain(secret);
    }
  });

  it('is in the log of each request, with the team and what was asked', async () => {
    const lines = await eventually(() => {
      const gateway = stack.processes.find(({ service }) => service === 'gateway')!;
      const found = gateway
        .output()
        .split('\n')
        .filter((line) => line.includes('"msg":"request"') && line.includes(traceId));
      expect(found).toHaveLength(1);
      return found;
    });
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'info',
      method: 'POST',
      route: '/v2/teams/:teamId/runs',
      operation: 'startRun',
      status: 201,
      ms: expect.any(Number) as number,
      team_id: team.id,
      request_id: expect.any(String) as string,
      trace_id: traceId,
    });
  });
});
