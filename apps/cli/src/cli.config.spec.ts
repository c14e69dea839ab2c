import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount, forgetAccount, saveAccount } from './cli.config.js';

const account = { baseUrl: 'https://agents.example.com', apiKey: 'a key', teamId: 't' };

describe('the account', () => {
  let folder: string;
  let environment: Record<string, string>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'account-'));
    environment = { XDG_CONFIG_HOME: join(folder, 'config') };
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('is kept for the user alone, and forgotten', async () => {
    const file = await saveAccount(environment, account);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await findAccount(environment, { folder })).toEqual(account);
    await forgetAccount(environment);
    expect((await findAccount(environment, { folder })).apiKey).toBeUndefined();
  });

  it('is that of the environment first: a key there has nothing to do with the team that was signed in', async () => {
    await saveAccount(environment, account);
    expect(await findAccount({ ...environment, AOS_API_KEY: 'other' }, { folder })).toEqual({
      baseUrl: undefined,
      apiKey: 'other',
      teamId: undefined,
    });
  });

  it('is no key for another service than the one that it is kept for', async () => {
    await saveAccount(environment, account);
    const other = { baseUrl: 'https://agents.example.org', keptFor: account.baseUrl };
    expect(await findAccount(environment, { folder, baseUrl: other.baseUrl })).toEqual(other);
    expect(await findAccount({ ...environment, AOS_BASE_URL: other.baseUrl }, { folder })).toEqual(other);
    const same = `${account.baseUrl}/`;
    expect(await findAccount(environment, { folder, baseUrl: same })).toEqual({ ...account, baseUrl: same });
  });

  it('is that of the product that was started here where nobody has signed in', async () => {
    await mkdir(join(folder, '.data'));
    const local = { base_url: 'http://127.0.0.1:8080', api_key: 'demo', team_id: 'd', admin_key: 'secret' };
    await writeFile(join(folder, '.data', 'credentials.json'), JSON.stringify(local));
    const found = { baseUrl: 'http://127.0.0.1:8080', apiKey: 'demo', teamId: 'd' };
    expect(await findAccount(environment, { folder })).toEqual(found);
  });

  it('says which file is broken', async () => {
    const file = await saveAccount(environment, account);
    await writeFile(file, '{');
    await expect(findAccount(environment, { folder })).rejects.toThrow(file);
  });
});
