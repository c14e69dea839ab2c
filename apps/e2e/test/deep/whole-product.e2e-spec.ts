import { serviceNames } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { ApiClient } from '../../src/api-client.js';
import { wantedForm } from '../../src/product-form.js';
import { servicesBehindGateway, startStack, type Stack } from '../../src/stack.js';
import { newTeam } from '../../src/team.js';

describe('the whole product', () => {
  let stack: Stack;
  let admin: ApiClient;
  let ended: Awaited<ReturnType<Stack['stop']>> | undefined;

  beforeAll(async () => {
    stack = await startStack({ gateways: 2, services: servicesBehindGateway });
    admin = await ApiClient.connect(stack.urls[0]!, { token: stack.adminKey });
  });

  afterAll(async () => {
    if (!ended) await stack?.stop();
  });

  it('is ready once every service has answered over the transport', async () => {
    for (const url of stack.urls) {
      const { body } = await eventually(async () => {
        const answer = await admin.at(url).request('GET', '/readyz', { token: null });
        expect(answer.status).toBe(200);
        return answer;
      });
      const others = serviceNames.filter((name) => name !== 'gateway');
      const expected = Object.fromEntries(['redis', 'postgres', ...others].map((name) => [name, 'ok']));
      expect(body).toEqual({ ok: true, checks: expected });
    }
  });

  it('is alive and measured', async () => {
    expect((await admin.request('GET', '/healthz', { token: null })).body).toEqual({ ok: true });
    await newTeam(admin);
    const text = await (await fetch(stack.metricsUrls[0]!)).text();
    expect(text).toMatch(/aos_http_request_duration_seconds_count\{[^}]*operation="createTeam"[^}]*\} 1\b/);
  });

  it('shows its metrics to nobody on the port of clients', async () => {
    for (const token of [null, stack.adminKey]) {
      const { status, body } = await admin.request('GET', '/metrics', { token });
      expect([status, body]).toMatchObject([404, { error: 'not_found' }]);
    }
  });

  it('ends every process cleanly', async () => {
    ended = await stack.stop();
    const apart = ['gateway', 'gateway', ...servicesBehindGateway].sort();
    expect(ended.map(({ service }) => service).sort()).toEqual(
      wantedForm === 'together' ? ['gateway', 'together'] : apart,
    );
    expect(ended.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
  });
});
