import { operationTable } from './generated.js';
import { prepare } from './request.js';

const team = '00000000-0000-7000-8000-000000000001';

describe('prepare', () => {
  it('puts what the path names into the path, and the rest into the body', () => {
    expect(prepare(operationTable.startRun, { teamId: team, agent_id: 'a', message: 'Hello' })).toEqual({
      method: 'POST',
      target: `/v2/teams/${team}/runs`,
      contentType: 'application/json',
      body: '{"agent_id":"a","message":"Hello"}',
      isRepeatable: true,
    });
  });

  it('takes the team of the client where none is named', () => {
    expect(prepare(operationTable.listRuns, { status: 'running', limit: 3 }, team).target).toBe(
      `/v2/teams/${team}/runs?status=running&limit=3`,
    );
  });

  it('writes lists with commas, and leaves out what is absent', () => {
    const input = { types: ['run.started', 'run.failed'], after: undefined, limit: null };
    expect(prepare(operationTable.listEvents, input, team).target).toBe(
      `/v2/teams/${team}/events?types=run.started%2Crun.failed`,
    );
  });

  it('keeps null in a body, where it may clear a field', () => {
    const { body } = prepare(operationTable.putBudget, { max_runs: null, on_reached: undefined }, team);
    expect(body).toBe('{"max_runs":null}');
  });

  it.each([
    ['a/b', 'a%2Fb'],
    ['?x=1#y', '%3Fx%3D1%23y'],
    ['ü %', '%C3%BC%20%25'],
  ])('a part of a path stays one part: %s', (given, written) => {
    expect(prepare(operationTable.getRun, { run_id: given }).target).toBe(`/v2/runs/${written}`);
  });

  it.each([
    ['', 'run_id: is required'],
    [undefined, 'run_id: is required'],
    ['..', 'run_id: must not be ".."'],
  ])('refuses %j as a part of a path, by name', (run_id, message) => {
    expect(() => prepare(operationTable.getRun, { run_id })).toThrow(message);
  });

  it('the path of a file keeps its folders', () => {
    const target = (path: string) =>
      prepare(operationTable.getAgentMemoryFile, { agent_id: 'a', path }).target;
    expect(target('notes/ü 1.md')).toBe('/v2/agents/a/memory/files/notes/%C3%BC%201.md');
    expect(target('...')).toBe('/v2/agents/a/memory/files/...');
  });

  it.each(['../../../b', 'notes/../../..', 'notes/./a', '/a', 'a//b', 'a/', '..', '.'])(
    'refuses a path of a file that would be another path: %s',
    (path) => {
      const input = { agent_id: 'a', path };
      expect(() => prepare(operationTable.deleteAgentMemoryFile, input)).toThrow(
        'path: must not have a part',
      );
    },
  );

  it('sends bytes as they are; a stream of them can be sent once', () => {
    const rows = prepare(operationTable.importCases, {
      queue_id: 'q',
      body: 'title\nA',
      content_type: 'text/csv',
    });
    expect(rows).toMatchObject({ body: 'title\nA', contentType: 'text/csv', isRepeatable: true });
    const stream = new Blob(['x']).stream();
    expect(prepare(operationTable.importCases, { queue_id: 'q', body: stream }).isRepeatable).toBe(false);
  });

  it('sends a file with its name, behind the fields of its form', () => {
    const file = new File(['x'], 'notes.txt');
    const { body, contentType } = prepare(operationTable.uploadSandboxFile, {
      id: 's',
      path: 'a/notes.txt',
      file,
    });
    expect(contentType).toBeUndefined();
    expect(
      [...(body as FormData)].map(([name, value]) => [name, value instanceof File ? value.name : value]),
    ).toEqual([
      ['path', 'a/notes.txt'],
      ['file', 'notes.txt'],
    ]);
  });
});
