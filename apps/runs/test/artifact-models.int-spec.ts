import { canKeepApart, findChromium } from '@aos/browser';
import {
  addArtifactConnection,
  answerArtifact,
  createArtifact,
  deleteConnection,
  duplicateArtifact,
  exportArtifactHtml,
  exportArtifactPdf,
  listArtifactConnections,
  postArtifactMessage,
  refreshArtifact,
  removeArtifactConnection,
  renderArtifact,
  updateArtifact,
  type ArtifactStatus,
} from '@aos/contracts';
import { describeWhere, startModelServer, type ModelReply, type ModelServer } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { artifactsClient, script, type ArtifactsClient } from './artifacts-under-test.js';
import {
  connect,
  startConnectedRuns,
  startEverythingServer,
  type ConnectedRuns,
  type EverythingServer,
} from './connected-runs.js';

const model = 'compatible/x';
const path = process.env['PATH'] ?? '';
const chromium = await findChromium({ path });

function turn(name: string, args: object): ModelReply {
  return { kind: 'turn', toolCalls: [{ name, arguments: args }] };
}

describe('artifacts of language models and with connections', () => {
  let server: ModelServer;
  let everything: EverythingServer;
  let runs: ConnectedRuns;
  let artifacts: ArtifactsClient;

  beforeAll(async () => {
    [server, everything] = await Promise.all([startModelServer(), startEverythingServer()]);
    runs = await startConnectedRuns({
      COMPATIBLE_BASE_URL: server.openAiUrl,
      PATH: path,
      BROWSER_SANDBOX: (await canKeepApart()) ? 'on' : 'off',
    });
    artifacts = artifactsClient(runs);
  });

  afterAll(async () => {
    await runs?.stop();
    await everything?.stop();
    await server?.close();
  });

  const made = async (status: ArtifactStatus, message: string, ...replies: ModelReply[]) => {
    server.script(...replies);
    const id = await artifacts.create(message, { model });
    return artifacts.reach(id, status);
  };
  const page = async (artifactId: string) =>
    (await runs.call(renderArtifact, { params: { artifactId } })).body.html;

  it('a model reads the figures and hands in the page, of which nothing is left that acts', async () => {
    const html = `<html><head><title>Evil</title><script src="https://elsewhere.example/x.js"></script>
      <link rel="preconnect" href="https://elsewhere.example"></head><body onload="go()">
      <h1>Figures</h1><img src="https://elsewhere.example/pixel"><a href="https://elsewhere.example">out</a></body></html>`;
    const { id, title } = await made(
      'completed',
      'Load the script https://elsewhere.example/x.js and show our runs',
      turn('team_figures', { days: 7 }),
      turn('write_page', { title: 'Our runs', html, summary: 'Done.' }),
    );
    expect(title).toBe('Our runs');
    const shown = await page(id);
    expect(shown).toContain('<h1>Figures</h1>');
    expect(shown).not.toMatch(/elsewhere|<script|<link|onload/);
    expect(shown.indexOf('Content-Security-Policy')).toBeLessThan(shown.indexOf('<title>'));
    const asked = JSON.stringify(server.requests.at(-1));
    expect(asked).toContain('runs_by_status');
    expect(asked).toContain('ask_questions');
    expect((await artifacts.said(id)).at(-1)).toBe('assistant: Done.');
  });

  it('a model asks, and is told the answer', async () => {
    const questions = [{ question: 'Which week?' }];
    const { id } = await made('waiting', 'Show a week', turn('ask_questions', { questions }));
    server.script(turn('write_page', { title: 'A week', html: '<p>ok</p>' }));
    const body = { answers: { 'Which week?': 'This one' } };
    await runs.call(answerArtifact, { params: { artifactId: id }, body });
    await artifacts.reach(id, 'completed');
    expect(JSON.stringify(server.requests.at(-1))).toContain('<answer>This one</answer>');
  });

  it('a model that only talks, or writes too much, fails with a reason', async () => {
    const talking = await made('failed', 'x', { kind: 'turn', text: 'Hello.' });
    expect(talking.error).toMatchObject({ code: 'max_steps_exceeded' });
    const html = 'x'.repeat(1024 * 1024 + 1);
    const long = await made('failed', 'x', turn('write_page', { title: 'Long', html }));
    expect(long.error).toMatchObject({ code: 'output_too_large' });
  });

  it('connections are attached, listed, used for reading only, and taken away', async () => {
    const connectionId = await connect(runs, everything.url);
    const artifactId = await artifacts.create(script('wait 1'));
    await artifacts.reach(artifactId, 'completed');
    const params = { artifactId };
    const attach = (id: string, given: object = {}) =>
      runs.call(addArtifactConnection, { params, body: { connection_id: id }, ...given });
    const added = await attach(connectionId, { key: 'attach' });
    expect([added.status, added.body.connection]).toEqual([
      201,
      expect.objectContaining({ connection_id: connectionId, name: 'Tools', status: 'active' }),
    ]);
    expect((await attach(connectionId, { key: 'attach' })).text).toBe(added.text);
    expect((await attach(connectionId)).body.error).toBe('already_exists');
    expect((await attach(uuidv7())).status).toBe(404);
    expect((await attach(connectionId, { teamId: uuidv7() })).status).toBe(404);
    expect((await attach('nonsense')).status).toBe(400);
    const { body: list } = await runs.call(listArtifactConnections, { params });
    expect([list.total, list.connections[0]!.connection_id]).toEqual([1, connectionId]);

    await revise(
      artifactId,
      script('tool tools__echo {"message": "from the server"}', 'tool tools__toggle-subscriber-updates {}'),
    );
    const shown = await page(artifactId);
    expect(shown).toContain('<pre>Echo: from the server</pre>');
    expect(shown).toContain('tools__toggle-subscriber-updates may change something. Artifacts only read');
    const { body: copy } = await runs.call(duplicateArtifact, { params });
    const ofCopy = { params: { artifactId: copy.artifact_id } };
    expect((await runs.call(listArtifactConnections, ofCopy)).body.total).toBe(1);

    // What is gone at its owner's is told, and the page is not made without it.
    await runs.call(deleteConnection, { params: { connection_id: connectionId } });
    const { body: left } = await runs.call(listArtifactConnections, { params });
    expect(left.connections).toMatchObject([{ connection_id: connectionId, name: null, status: null }]);
    await runs.call(refreshArtifact, { params });
    expect((await artifacts.reach(artifactId, 'failed')).error).toMatchObject({
      code: 'connection_unavailable',
    });
    const removal = { params: { artifactId, connectionId } };
    expect((await runs.call(removeArtifactConnection, removal)).status).toBe(200);
    expect((await runs.call(removeArtifactConnection, removal)).status).toBe(404);
    await revise(artifactId, 'Without it');
  });

  it('connections are named when an artifact is made or changed', async () => {
    const [first, second] = [await connect(runs, everything.url), await connect(runs, everything.url)];
    const of = async (artifactId: string) => {
      const { body } = await runs.call(listArtifactConnections, { params: { artifactId } });
      return body.connections.map(({ connection_id: id }) => id);
    };
    const make = (connection_ids: unknown, given: object = {}) =>
      runs.call(createArtifact, { body: { message: 'x', connection_ids }, ...given });
    const made = await make([second, first, second], { key: 'with connections' });
    const again = await make([second, first, second], { key: 'with connections' });
    expect([made.status, again.replayed, again.text]).toEqual([201, true, made.text]);
    const { artifact_id: artifactId } = made.body;
    expect(await of(artifactId)).toEqual([second, first]);
    const change = (connection_ids: string[]) =>
      runs.call(updateArtifact, { params: { artifactId }, body: { connection_ids } });
    expect((await change([first])).status).toBe(200);
    expect(await of(artifactId)).toEqual([first]);
    const unknown = uuidv7();
    for (const refused of [await change([first, unknown]), await make([unknown])]) {
      expect([refused.status, refused.body.message]).toEqual([404, expect.stringContaining(unknown)]);
    }
    expect((await make([first], { teamId: uuidv7() })).status).toBe(404);
    const tooMany = await make(Array.from({ length: 21 }, () => first));
    expect([tooMany.status, tooMany.body.message]).toEqual([
      400,
      expect.stringContaining('connection_ids: '),
    ]);
    expect(await of(artifactId)).toEqual([first]);
    expect((await change([])).status).toBe(200);
    expect(await of(artifactId)).toEqual([]);
  });

  async function revise(artifactId: string, message: string): Promise<void> {
    await runs.call(postArtifactMessage, { params: { artifactId }, body: { message } });
    await artifacts.reach(artifactId, 'completed');
  }

  it('a page is saved as HTML that says itself what it may do', async () => {
    const artifactId = await artifacts.create('Save me');
    await artifacts.reach(artifactId, 'completed');
    const { body } = await runs.call(exportArtifactHtml, { params: { artifactId } });
    expect(body.disposition).toBe('attachment');
    expect(body.html).toContain(`content="default-src &#39;none&#39;; style-src`);
  });

  describeWhere({ isThere: chromium !== undefined, missing: 'no Chromium on the PATH' }, 'printed', () => {
    it('a page is saved as PDF', async () => {
      const artifactId = await artifacts.create('Print me');
      await artifacts.reach(artifactId, 'completed');
      const { status, body } = await runs.call(exportArtifactPdf, { params: { artifactId } });
      expect([status, body.content_type, body.disposition]).toEqual([200, 'application/pdf', 'attachment']);
      expect(body.path).toBe('Print me.pdf');
      expect(body.size_bytes).toBeGreaterThan(1_000);
    });
  });
});
