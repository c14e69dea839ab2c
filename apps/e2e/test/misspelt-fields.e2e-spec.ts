import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractTable, type Operation } from '@aos/contracts';
import type { ApiClient, CallOptions } from '../src/api-client.js';
import { runCommand, type Account } from '../src/command-line.js';
import { bodySchema, querySchema, sampleRequest } from '../src/sample-request.js';
import { propertiesOf } from '../src/sample-value.js';
import { connectToDeployment, type Deployment } from '../src/shared-product.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

interface Misspelt {
  readonly operation: Operation;
  readonly place: 'query' | 'body';
  readonly field: string;
  readonly meant: string;
}

/** A name as somebody would misspell it: the letter in its middle is doubled. */
function misspelt(name: string): string {
  const middle = Math.floor(name.length / 2);
  return name.slice(0, middle + 1) + name.slice(middle);
}

/** One for each operation that a client with a credential calls and that has a field with a name of some length. */
const cases = contractTable.operations
  .filter(({ access, kind }) => access !== 'link' && access !== 'open' && kind !== 'rpc')
  .flatMap((operation): Misspelt[] => {
    const place = operation.takes === 'json' && operation.hasBody ? 'body' : 'query';
    const names = Object.keys(
      propertiesOf(place === 'body' ? bodySchema(operation) : querySchema(operation)),
    );
    const meant = names.sort((one, other) => other.length - one.length)[0];
    return meant && meant.length > 3 ? [{ operation, place, field: misspelt(meant), meant }] : [];
  });

describe('a misspelt field', () => {
  let product: Deployment;
  let admin: ApiClient;
  let team: Team;
  let account: Account;

  beforeAll(async () => {
    product = await connectToDeployment();
    admin = await connectAdmin(product);
    team = await newTeam(admin);
    account = { baseUrl: product.urls[0]!, key: team.key };
  });

  afterAll(async () => {
    await product?.disconnect();
  });

  /** Whose ids name nothing, so that nothing is done. */
  function requestWith({ operation, place, field }: Misspelt): CallOptions {
    const { params, body } = sampleRequest(operation, team.id);
    if (place === 'query') return { params, body, query: { [field]: '1' } };
    return { params, body: { ...(body as object), [field]: 1 } };
  }

  const clientOf = ({ access }: Operation) => (access === 'admin' ? admin : team.client);

  it('is tried in every group of operations', () => {
    expect(new Set(cases.map(({ operation }) => operation.tag)).size).toBeGreaterThanOrEqual(18);
  });

  it.each(cases.map((misspelling) => [misspelling.operation.operationId, misspelling] as const))(
    'of %s is refused if the client wants to hear of it, and named if not',
    async (_, misspelling) => {
      const { operation, field, meant } = misspelling;
      const request = requestWith(misspelling);
      const strict = await clientOf(operation).call(operation, {
        ...request,
        headers: { prefer: 'handling=strict' },
      });
      expect([strict.status, strict.body, strict.headers['preference-applied']]).toEqual([
        400,
        { error: 'invalid_request', message: `${field}: is not known, did you mean ${meant}?` },
        'handling=strict',
      ]);
      expect(strict.headers['x-ignored-fields']).toBeUndefined();
      const lenient = await clientOf(operation).call(operation, request);
      expect(lenient.headers['x-ignored-fields']).toBe(field);
      expect(lenient.headers['preference-applied']).toBeUndefined();
    },
  );

  it('is not there where every field is known', async () => {
    for (const prefer of ['handling=strict', 'handling=lenient']) {
      const answer = await team.client.request('GET', `/v2/teams/${team.id}/runs?limit=1`, {
        headers: { prefer },
      });
      expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([200, undefined]);
    }
  });

  describe('in the folder of an agent', () => {
    let folder: string;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'misspelt-'));
    });

    afterEach(() => rm(folder, { recursive: true }));

    it.each([
      ['agent.json', { name: 'A', decription: 'x' }, 'decription: is not known, did you mean description?'],
      [
        'config.json',
        { optoins: { max_steps: 3 } },
        'build.config.data.optoins: is not known, did you mean options?',
      ],
      [
        'config.json',
        { models: { agent: { modle: 'builtin/scripted' } } },
        'build.config.data.models.agent.modle: is not known, did you mean model?',
      ],
      [
        'rubrics.json',
        [{ title: 'T', severtiy: 'high' }],
        'rubrics.0.severtiy: is not known, did you mean severity?',
      ],
      [
        'schedules.json',
        [{ frequency: 'daily', tiem: '10:00', message: 'Go' }],
        'tiem: is not known, did you mean time?',
      ],
    ])('is refused in %s: %j', async (file, content, message) => {
      await writeFile(join(folder, 'agent.json'), JSON.stringify({ name: 'A' }));
      await writeFile(join(folder, file), JSON.stringify(content));
      const { exitCode, err } = await runCommand(account, ['agents', 'push', folder]);
      expect(exitCode).not.toBe(0);
      expect(err).toContain(message);
    });

    it('is refused of an agent that is there, too', async () => {
      await writeFile(join(folder, 'agent.json'), JSON.stringify({ name: 'A' }));
      expect((await runCommand(account, ['agents', 'push', folder])).exitCode).toBe(0);
      await writeFile(join(folder, 'config.json'), JSON.stringify({ optoins: {} }));
      const { exitCode, err } = await runCommand(account, ['agents', 'push', folder]);
      expect([exitCode === 0, err]).toEqual([
        false,
        expect.stringContaining('config.data.optoins: is not known, did you mean options?'),
      ]);
    });
  });

  it('of the command line is refused with what was meant', async () => {
    const { exitCode, err } = await runCommand(account, ['runs', 'start', '--agent', 'A', '--mesage', 'Hi']);
    expect([exitCode === 0, err]).toEqual([false, expect.stringContaining('--message')]);
  });
});
