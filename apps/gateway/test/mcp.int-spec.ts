import { operations } from '@aos/contracts';
import { refusalOf } from '@aos/testing';
import { isTool } from '../src/mcp/operation-tools.js';
import { toolName } from '../src/mcp/tool-names.js';
import { startGatewayInProcess, type GatewayInProcess, type TeamAtGateway } from './gateway-in-process.js';
import { keyWith, legacy, McpAtGateway, modern } from './mcp-client.js';

describe('the MCP endpoint', () => {
  let gateway: GatewayInProcess;
  let team: TeamAtGateway;
  let mcp: McpAtGateway;

  beforeAll(async () => {
    gateway = await startGatewayInProcess();
    team = await gateway.newTeam();
    mcp = new McpAtGateway(gateway, team.key);
  });

  afterAll(() => gateway.stop());

  it('is closed to a team whose plan does not include it', async () => {
    const other = await gateway.newTeam();
    await gateway.call(`/v2/teams/${other.id}/plan`, {
      method: 'PUT',
      key: gateway.environment['ADMIN_KEY'],
      body: { plan: 'free' },
    });
    const answer = await mcp.as(other.key).post(legacy('ping'));
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: 'entitlement_exceeded', message: 'The plan of the team does not include MCP.' },
    ]);
  });

  describe('for a client of 2025-11-25 and before', () => {
    it('begins with initialize, and keeps no session', async () => {
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      };
      const answer = await mcp.post(legacy('initialize', params));
      expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, null]);
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect(await answer.json()).toMatchObject({
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          instructions: expect.any(String),
        },
      });
      const noted = await mcp.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
      expect([noted.status, await noted.text()]).toEqual([202, '']);
      expect(await mcp.legacy('ping')).toMatchObject({ result: {} });
    });

    it('calls a tool', async () => {
      const { result } = await mcp.legacy('tools/call', { name: 'get_team', arguments: {} });
      expect(result.structuredContent).toMatchObject({ team: { id: team.id } });
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
      expect(result).not.toHaveProperty('isError');
    });

    it('hears of an unknown method in JSON-RPC, not as a 404, which would mean a lost session', async () => {
      const answer = await mcp.post(legacy('resources/list'));
      expect([answer.status, await answer.json()]).toEqual([
        200,
        expect.objectContaining({ error: { code: -32601, message: 'Method not found' } }),
      ]);
    });

    it('may send a batch where its revision has them', async () => {
      const [ping, call] = [legacy('ping'), legacy('tools/call', { name: 'get_team' })];
      const batch = [ping, { jsonrpc: '2.0', method: 'notifications/initialized' }, call];
      for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }] as Record<string, string>[]) {
        const answer = await mcp.post(batch, { headers });
        const responses = (await answer.json()) as { id: number }[];
        expect(responses.map(({ id }) => id)).toEqual([ping.id, call.id]);
      }
      const later = await mcp.post(batch, { headers: { 'mcp-protocol-version': '2025-06-18' } });
      expect([later.status, await later.json()]).toEqual([
        400,
        expect.objectContaining({ error: expect.objectContaining({ code: -32600 }) }),
      ]);
      const onlyNotes = await mcp.post([batch[1]]);
      expect(onlyNotes.status).toBe(202);
    });
  });

  describe('for a client of 2026-07-28', () => {
    it('is discovered, with the tasks extension', async () => {
      const { result } = await mcp.modern('server/discover');
      expect(result).toMatchObject({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
      });
    });

    it('calls a tool without any session', async () => {
      const { result } = await mcp.modern('tools/call', { name: 'get_team', arguments: {} });
      expect(result).toMatchObject({ resultType: 'complete', structuredContent: { team: { id: team.id } } });
    });

    it('must say in its headers what the body says', async () => {
      const { body, headers } = modern('tools/call', { name: 'get_team' });
      for (const wrong of [{ 'mcp-method': 'tools/list' }, { 'mcp-name': 'delete_run' }]) {
        const answer = await mcp.post(body, { headers: { ...headers, ...wrong } });
        expect([answer.status, await answer.json()]).toEqual([
          400,
          expect.objectContaining({ error: expect.objectContaining({ code: -32020 }) }),
        ]);
      }
    });

    it('sends no batches', async () => {
      const answer = await mcp.post([modern('ping').body]);
      expect(answer.status).toBe(400);
    });
  });

  describe('the list of tools', () => {
    const all = operations.filter(isTool).map(({ operationId }) => toolName(operationId));

    it('is every operation that takes and answers JSON and discloses no secret, in one page, but those of administrators', async () => {
      const admin = operations
        .filter(({ access }) => access === 'admin')
        .map(({ operationId }) => toolName(operationId));
      expect(admin).toContain('set_team_plan');
      expect(await mcp.names()).toEqual(all.filter((name) => !admin.includes(name)));
      for (const none of [
        'call_mcp',
        'stream_run_events',
        'download_file',
        'upload_sandbox_file',
        'oauth_callback',
        'create_api_key',
        'get_webhook_secret',
      ]) {
        expect(all).not.toContain(none);
      }
      const { result } = await mcp.legacy('tools/list');
      expect(result).not.toHaveProperty('nextCursor');
      expect(await mcp.legacy('tools/list', { cursor: 'x' })).toMatchObject({ error: { code: -32602 } });
    });

    it('says of each what it does', async () => {
      const { result } = await mcp.modern('tools/list');
      const tools = new Map<string, Record<string, unknown>>(
        (result.tools as { name: string }[]).map((tool) => [tool.name, tool]),
      );
      expect(tools.get('start_run')).toMatchObject({
        title: 'Start a run of an agent',
        inputSchema: {
          type: 'object',
          required: ['agent_id'],
          properties: {
            teamId: { description: expect.any(String) },
            agent_id: { format: 'uuid' },
            message: {},
          },
        },
        annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: false },
      });
      expect(tools.get('list_runs')).toMatchObject({
        inputSchema: { properties: { limit: { type: 'integer' }, has_issues: { type: 'boolean' } } },
        annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false },
      });
      expect(tools.get('delete_run')).toMatchObject({
        annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: true },
      });
      for (const tool of tools.values()) expect(tool['inputSchema']).toMatchObject({ type: 'object' });
      expect(result).toMatchObject({ ttlMs: expect.any(Number), cacheScope: 'private' });
    });

    it('has what the scopes of the credential allow, and calling another is its 403', async () => {
      const key = await keyWith(gateway, team, 'mcp:call', 'billing:read', 'team:read');
      const names = await mcp.names({ key });
      expect(names).toContain('get_team');
      expect(names).not.toContain('start_run');
      const { result } = await mcp.legacy('tools/call', { name: 'delete_api_key' }, { key });
      expect(refusalOf(result)).toEqual({
        error: 'insufficient_scope',
        message: expect.stringContaining('team:admin'),
      });
      const admin = await mcp.legacy('tools/call', { name: 'set_team_plan', arguments: {} });
      expect(refusalOf(admin.result)).toMatchObject({ error: 'forbidden' });
    });

    it('has what administrators may do for the platform admin key', async () => {
      const names = await mcp.names({ key: gateway.environment['ADMIN_KEY'] });
      expect(names).toContain('set_team_plan');
      expect(names).not.toContain('start_run');
    });

    it('says what tools answer where that is asked for', async () => {
      const listed = async (query: string) => {
        const { result } = await mcp.legacy('tools/list', {}, { query });
        const tools = result.tools as { name: string; outputSchema?: object }[];
        return new Map(tools.map(({ name, outputSchema }) => [name, outputSchema]));
      };
      expect(new Set((await listed('')).values())).toEqual(new Set([undefined]));
      expect((await listed('?output_schemas=true')).get('start_run')).toMatchObject({
        type: 'object',
        required: ['run_id', 'status', 'run'],
      });
    });

    it('is narrowed by toolsets', async () => {
      const names = await mcp.names({ query: '?toolsets=runs,human-requests' });
      expect(names).toEqual(expect.arrayContaining(['start_run', 'respond_to_human_request']));
      expect(names).not.toContain('get_team');
      const hidden = await mcp.legacy('tools/call', { name: 'get_team' }, { query: '?toolsets=runs' });
      expect(hidden.error).toMatchObject({ code: -32602, message: 'Unknown tool: get_team' });
      const unknown = await mcp.post(legacy('tools/list'), { query: '?toolsets=runs,robots' });
      expect([unknown.status, await unknown.json()]).toEqual([
        400,
        { error: 'invalid_request', message: expect.stringContaining('"robots"') },
      ]);
      const twice = await mcp.post(legacy('tools/list'), { query: '?toolsets=runs&toolsets=teams' });
      expect([twice.status, await twice.json()]).toEqual([
        400,
        { error: 'invalid_request', message: expect.stringContaining('toolsets') },
      ]);
    });
  });

  describe('a call', () => {
    it('names the field that is wrong', async () => {
      const call = (name: string, given: object) => mcp.legacy('tools/call', { name, arguments: given });
      const wrongType = await mcp.legacy(
        'tools/call',
        { name: 'set_team_plan', arguments: { teamId: team.id, plan: 7 } },
        { key: gateway.environment['ADMIN_KEY'] },
      );
      expect(refusalOf(wrongType.result)).toEqual({
        error: 'invalid_request',
        message: expect.stringContaining('plan:'),
      });
      const wrongQuery = await call('list_api_keys', { limit: 'many' });
      expect(refusalOf(wrongQuery.result).message).toContain('limit:');
      const missing = await call('delete_api_key', {});
      expect(refusalOf(missing.result)).toEqual({
        error: 'invalid_request',
        message: 'keyId: is required',
      });
      const odd = await call('delete_api_key', { keyId: { a: 1 } });
      expect(refusalOf(odd.result).message).toContain('keyId:');
    });

    it('takes numbers and booleans where a query has text, and null for what is left out', async () => {
      const { result } = await mcp.legacy('tools/call', {
        name: 'list_api_keys',
        arguments: { limit: 1, offset: null, teamId: null },
      });
      expect(result.structuredContent).toMatchObject({ limit: 1, offset: 0 });
    });

    it('for another team is its 403, and for an unknown id its 404', async () => {
      const other = await gateway.newTeam();
      const foreign = await mcp.legacy('tools/call', { name: 'get_team', arguments: { teamId: other.id } });
      expect(refusalOf(foreign.result)).toMatchObject({ error: 'forbidden' });
      const { body } = await gateway.call<{ api_keys: { id: string }[] }>(`/v2/teams/${other.id}/api-keys`, {
        key: other.key,
      });
      const answers = await Promise.all(
        [body.api_keys[0]!.id, 'not-an-id', '0190a0b0-0000-7000-8000-000000000000'].map(async (keyId) => {
          const { result } = await mcp.legacy('tools/call', { name: 'delete_api_key', arguments: { keyId } });
          return JSON.stringify(result);
        }),
      );
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toContain('not_found');
    });

    it('of a tool that there is not is a fault of the call', async () => {
      for (const name of ['nothing', '__proto__', 'constructor', '', 'x'.repeat(10_000)]) {
        expect(await mcp.legacy('tools/call', { name })).toMatchObject({ error: { code: -32602 } });
      }
    });

    const setPlan = (plan: string, idempotencyKey?: unknown) =>
      legacy('tools/call', {
        name: 'set_team_plan',
        arguments: { teamId: team.id, plan },
        ...(idempotencyKey === undefined ? {} : { _meta: { idempotencyKey } }),
      });

    it('with an Idempotency-Key has its effect once', async () => {
      const call = (plan: string, headers: Record<string, string>) =>
        mcp.post(setPlan(plan), { headers, key: gateway.environment['ADMIN_KEY'] });
      const key = { 'idempotency-key': 'once' };
      const [first, again] = [await call('pro', key), await call('pro', key)];
      expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
        null,
        'true',
      ]);
      const [made, replayed] = [await first.json(), await again.json()] as { result: unknown }[];
      expect(replayed!.result).toEqual(made!.result);
      const other = (await (await call('free', key)).json()) as { result: unknown };
      expect(refusalOf(other.result)).toMatchObject({ error: 'idempotency_conflict' });
    });

    it('may carry its key in _meta, also in a batch', async () => {
      const key = gateway.environment['ADMIN_KEY'];
      const post = (body: unknown, headers = {}) => mcp.post(body, { key, headers });
      const calls = [setPlan('free', 'a'), setPlan('pro', 'b')];
      const batch = (await (await post(calls)).json()) as { result: object }[];
      const again = (await (await post(calls)).json()) as { result: object }[];
      expect(again.map(({ result }) => result)).toEqual(batch.map(({ result }) => result));
      expect(batch[0]!.result).not.toEqual(batch[1]!.result);
      const other = (await (await post(setPlan('pro', 'a'))).json()) as { result: object };
      expect(refusalOf(other.result)).toMatchObject({ error: 'idempotency_conflict' });
      const bad = (await (await post(setPlan('pro', 7))).json()) as { result: object };
      expect(refusalOf(bad.result)).toMatchObject({ error: 'invalid_idempotency_key' });
      const shared = await post(calls, { 'idempotency-key': 'both' });
      expect([shared.status, await shared.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_idempotency_key' }),
      ]);
    });
  });
});
