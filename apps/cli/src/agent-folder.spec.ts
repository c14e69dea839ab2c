import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAgentFolder, writeAgentFolder, type AgentFiles } from './agent-folder.js';

const files: AgentFiles = {
  agent: { agent_id: 'a', name: 'Support', description: null, agentic_memory_enabled: true },
  config: {
    models: { agent: { model: 'builtin/scripted' } },
    connections: [],
    sub_agents: [],
    options: { max_steps: 50, timeout_seconds: 600 },
  },
  procedure: '# Help\n\nBe kind.\n\n```steps\nfinish Done\n```',
  rubrics: [{ title: 'Polite', description: 'Says "please".', severity: 'medium' }],
  schedules: [{ schedule_id: 's', frequency: 'daily', time: '09:00' }],
  memory: { 'notes.md': 'Remember.', 'customers/acme.md': 'Pays late.\n' },
};

describe('the folder of an agent', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-folder-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('is read as it was written', async () => {
    await writeAgentFolder(folder, files);
    expect(await readAgentFolder(folder)).toEqual(files);
    expect(await readFile(join(folder, 'procedure.md'), 'utf8')).toBe(`${files.procedure}\n`);
    expect((await readdir(folder)).sort()).toEqual([
      'agent.json',
      'config.json',
      'memory',
      'procedure.md',
      'rubrics.json',
      'schedules.json',
    ]);
  });

  it('needs no more than a name, and says nothing of what it has no file for', async () => {
    await writeFile(join(folder, 'agent.json'), '{"name": "New"}');
    const read = await readAgentFolder(folder);
    expect(read).toEqual({ agent: { name: 'New' }, schedules: [], memory: {} });
    await writeAgentFolder(folder, read);
    expect((await readdir(folder)).sort()).toEqual(['agent.json', 'schedules.json']);
  });

  it.each(['../evil', '/etc/passwd', 'a/../../b', 'c:\\x', 'a\\b'])(
    'writes nothing outside of itself: %s',
    async (path) => {
      const hostile = { ...files, memory: { [path]: 'x' } };
      await expect(writeAgentFolder(join(folder, 'inner'), hostile)).rejects.toThrow(
        'has no place in a folder',
      );
      expect(await readdir(folder)).toEqual(['inner']);
    },
  );

  it('names the file that is missing or cannot be read', async () => {
    await expect(readAgentFolder(folder)).rejects.toThrow('agent.json: must be there and have a name.');
    await writeFile(join(folder, 'agent.json'), '{');
    await expect(readAgentFolder(folder)).rejects.toThrow('agent.json: ');
  });
});
