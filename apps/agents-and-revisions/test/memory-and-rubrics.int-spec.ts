import {
  createAgent,
  createEvalRubric,
  deleteAgentMemoryFile,
  deleteEvalRubric,
  getAgentMemoryFile,
  getEvalRubrics,
  listAgentMemoryFiles,
  putAgentMemoryFile,
  replaceEvalRubrics,
  updateEvalRubric,
  writeMemory,
  type AppError,
} from '@aos/contracts';
import { uuidv7 } from 'uuidv7';
import { startAgents, type AgentsUnderTest } from './agents-under-test.js';

const rubric = { title: 'Polite tone', description: 'The answer says "please" to the customer.' };

describe('what belongs to an agent', () => {
  let agents: AgentsUnderTest;
  let agentId: string;

  beforeAll(async () => {
    agents = await startAgents();
  });

  beforeEach(async () => {
    const { body } = await agents.call(createAgent, { params: { teamId: agents.teamId } });
    agentId = body.agent_id;
  });

  afterAll(() => agents?.stop());

  describe('memory files', () => {
    const file = (path: string) => ({ agent_id: agentId, path });
    const put = (path: string, content: string) =>
      agents.call(putAgentMemoryFile, { params: file(path), body: { content } });

    it('are written, read by a path with slashes, listed and deleted', async () => {
      expect(await put('notes/2026/plan.md', 'Grüße')).toMatchObject({
        status: 200,
        body: {
          name: 'plan.md',
          path: 'notes/2026/plan.md',
          size_bytes: 7,
          source_type: 'user',
          source_run_id: null,
          source_agent_run_id: null,
          source_user_id: expect.stringMatching(/^[\da-f-]{36}$/),
        },
      });
      await put('notes/2026/plan.md', 'again');
      await put('a.md', '');
      const read = await agents.call(getAgentMemoryFile, { params: file('notes//2026/./plan.md') });
      expect(read.body).toMatchObject({ content: 'again', size_bytes: 5 });
      const list = await agents.call(listAgentMemoryFiles, { params: { agent_id: agentId } });
      expect(list.body).toMatchObject({ total: 2, limit: 100, offset: 0 });
      expect(list.body.files.map(({ path }) => path)).toEqual(['a.md', 'notes/2026/plan.md']);
      expect(list.body.files[0]).not.toHaveProperty('content');
      expect((await agents.call(deleteAgentMemoryFile, { params: file('a.md') })).body).toEqual({
        success: true,
      });
      expect((await agents.call(deleteAgentMemoryFile, { params: file('a.md') })).status).toBe(404);
    });

    it('have the number of their latest write, which no other write of the agent gets', async () => {
      const generation = async (path: string) =>
        (await agents.call(getAgentMemoryFile, { params: file(path) })).body.generation;
      expect((await put('a.md', '1')).body.generation).toBe(1);
      expect((await put('b.md', '1')).body.generation).toBe(2);
      expect((await put('a.md', '2')).body.generation).toBe(3);
      await agents.call(deleteAgentMemoryFile, { params: file('a.md') });
      expect((await put('a.md', '3')).body.generation).toBe(4);
      const runId = uuidv7();
      const request = { team_id: agents.teamId, agent_id: agentId, run_id: runId, path: 'b.md', content: '' };
      await agents.services.call(writeMemory, request);
      const { body } = await agents.call(getAgentMemoryFile, { params: file('b.md') });
      expect(body).toMatchObject({
        generation: 5,
        source_type: 'run',
        source_agent_run_id: runId,
        source_user_id: null,
        source_updated_at: body.updated_at,
      });
      const writes = await Promise.all(Array.from({ length: 20 }, (_, n) => put(`c${n % 4}.md`, `${n}`)));
      const numbers = writes.map((answer) => answer.body.generation).sort((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => n + 6));
      expect(await generation('a.md')).toBe(4);
    });

    it('that were written before files had numbers get them by their age', async () => {
      const former = async (path: string, age: number) => {
        await agents.database.query(
          `INSERT INTO agents_and_revisions.memory_file (agent_id, path, team_id, content, size_bytes, updated_at)
           VALUES ($1, $2, $3, '', 0, now() - $4 * interval '1 hour')`,
          [agentId, path, agents.teamId, age],
        );
      };
      const numbers = async () => {
        const { body } = await agents.call(listAgentMemoryFiles, { params: { agent_id: agentId } });
        return body.files.map(({ path, generation }) => `${path} ${generation}`);
      };
      await former('newer.md', 1);
      await former('oldest.md', 3);
      await former('older.md', 2);
      expect(await numbers()).toEqual(['newer.md 3', 'older.md 2', 'oldest.md 1']);
      expect(await numbers()).toEqual(['newer.md 3', 'older.md 2', 'oldest.md 1']);
      // A replica of the version before goes on writing without numbers.
      await former('late.md', 0);
      await agents.call(deleteAgentMemoryFile, { params: file('newer.md') });
      expect((await put('newest.md', '')).body.generation).toBe(5);
      expect(await numbers()).toEqual(['late.md 4', 'newest.md 5', 'older.md 2', 'oldest.md 1']);
    });

    it.each(['../up', '/etc/passwd', 'a/../../b', 'dir/', 'a\\b'])(
      'refuse to be written at %s',
      async (path) => {
        const refused = await put(path, 'x');
        expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
        expect(refused.body.message).toContain('path: ');
        expect((await agents.call(getAgentMemoryFile, { params: file(path) })).status).toBe(404);
      },
    );

    it('have at most 256 KiB', async () => {
      expect((await put('big.txt', 'x'.repeat(256 * 1024))).status).toBe(200);
      const refused = await put('big.txt', 'é'.repeat(128 * 1024 + 1));
      expect(refused.status).toBe(400);
      expect(refused.body.message).toContain('content: ');
    });

    it('are 1,000 of an agent at most, also when they come at once', async () => {
      // Another agent's do not count.
      const other = await agents.call(createAgent, { params: { teamId: agents.teamId } });
      for (const [owner, count] of [
        [agentId, 995],
        [other.body.agent_id, 1_000],
      ]) {
        await agents.database.query(
          `INSERT INTO agents_and_revisions.memory_file (agent_id, path, team_id, content, size_bytes, updated_at)
           SELECT $1, 'old/' || n, $2, '', 0, now() FROM generate_series(1, $3::int) AS n`,
          [owner, agents.teamId, count],
        );
      }
      const writeMemoryOfRun = (path: string) => {
        const request = { team_id: agents.teamId, agent_id: agentId, run_id: uuidv7(), path, content: '' };
        return agents.services.call(writeMemory, request).then(
          () => 200,
          (error: AppError) => error.code,
        );
      };
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          // People and runs write at the same time; each path comes twice.
          const path = `new/${n >> 1}`;
          if (n % 2 === 0) return writeMemoryOfRun(path);
          const { status, body } = await put(path, '');
          return status === 200 ? status : body.error;
        }),
      );
      expect(new Set(answers)).toEqual(new Set([200, 'limit_reached']));
      const list = () => agents.call(listAgentMemoryFiles, { params: { agent_id: agentId } });
      expect((await list()).body.total).toBe(1_000);
      expect(await put('one-more', '')).toMatchObject({ status: 409, body: { error: 'limit_reached' } });
      // What is there can be written all the same, and who deletes one makes room for another.
      expect((await put('old/7', 'new content')).status).toBe(200);
      await agents.call(deleteAgentMemoryFile, { params: file('old/7') });
      expect((await put('one-more', '')).status).toBe(200);
      expect((await list()).body.total).toBe(1_000);
    });

    it('are not for other teams', async () => {
      await put('secret.md', 'x');
      const params = file('secret.md');
      const foreign = await agents.call(getAgentMemoryFile, { params, teamId: uuidv7() });
      expect(foreign.status).toBe(404);
    });
  });

  describe('rubrics', () => {
    const params = () => ({ agentId });
    const create = (body: object = rubric) => agents.call(createEvalRubric, { params: params(), body });

    it('default to medium on the live build, with a readable slug and platform rubrics beside them', async () => {
      const made = await create();
      expect(made).toMatchObject({
        status: 200,
        body: { rubric: { ...rubric, slug: 'polite-tone', severity: 'medium', sort_order: 0, version: 1 } },
      });
      const { body } = await agents.call(getEvalRubrics, { params: params() });
      expect(body.rubrics).toHaveLength(1);
      expect(body.platform_rubrics.map(({ key }) => key)).toEqual([
        'no_tool_errors',
        'no_retries_exhausted',
        'ended_with_answer',
        'no_repeated_tool_calls',
      ]);
      for (const platform of body.platform_rubrics) {
        expect([platform.label, platform.cause]).toEqual([platform.title, expect.stringMatching(/\w/)]);
      }
    });

    it('keep their id and raise their version when changed', async () => {
      const { body } = await create();
      const changed = await agents.call(updateEvalRubric, {
        params: { agentId, rubric_id: body.rubric_id },
        body: { severity: 'critical' },
      });
      expect(changed.body).toMatchObject({
        rubric_id: body.rubric_id,
        rubric: { version: 2, severity: 'critical', title: rubric.title },
      });
    });

    it('are five at most, also when they come at once', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => create()));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(answers.filter(({ body }) => body.error === 'limit_reached')).toHaveLength(3);
      const { body } = await agents.call(getEvalRubrics, { params: params() });
      expect(new Set(body.rubrics.map(({ slug }) => slug)).size).toBe(5);
    });

    it('are replaced as a set, or not at all', async () => {
      await create();
      const replace = (rubrics: object[]) =>
        agents.call(replaceEvalRubrics, { params: params(), body: { rubrics } });
      const two = [rubric, { ...rubric, title: 'Short answers' }];
      expect((await replace(two)).body.rubrics.map(({ slug }) => slug)).toEqual([
        'polite-tone',
        'short-answers',
      ]);
      expect((await replace(Array.from({ length: 6 }, () => rubric))).status).toBe(409);
      expect((await replace([{ ...rubric, title: 'x' }])).status).toBe(400);
      const { body } = await agents.call(getEvalRubrics, { params: params() });
      expect(body.rubrics).toHaveLength(2);
    });

    it('are deleted with 204 and no body', async () => {
      const { body } = await create();
      const where = { agentId, rubric_id: body.rubric_id };
      expect(await agents.call(deleteEvalRubric, { params: where })).toMatchObject({
        status: 204,
        body: undefined,
      });
      expect((await agents.call(deleteEvalRubric, { params: where })).status).toBe(404);
    });

    it.each([
      [{ ...rubric, title: 'ab' }, 'title'],
      [{ ...rubric, title: undefined }, 'title'],
      [{ ...rubric, description: 'too short' }, 'description'],
      [{ ...rubric, severity: 'huge' }, 'severity'],
    ])('refuse %j', async (body, field) => {
      const refused = await create(body);
      expect(refused.status).toBe(400);
      expect(refused.body.message).toContain(`${field}: `);
    });

    it('belong to one agent and one team', async () => {
      const { body } = await create();
      const other = await agents.call(createAgent, { params: { teamId: agents.teamId } });
      const wrongAgent = { agentId: other.body.agent_id, rubric_id: body.rubric_id };
      expect((await agents.call(updateEvalRubric, { params: wrongAgent, body: {} })).status).toBe(404);
      const foreign = await agents.call(getEvalRubrics, { params: params(), teamId: uuidv7() });
      expect(foreign.status).toBe(404);
    });
  });
});
