import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretsKeysFault } from '@aos/secrets';
import { temporaryFolder } from '../test/support.js';
import { credentialsPath, ensureSecrets, readCredentials, writeCredentials } from './credentials.js';

describe('the files of the data folder', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it('hold secrets that are made once', () => {
    const made = ensureSecrets(folder.path);
    expect(secretsKeysFault(made.secrets_keys)).toBeUndefined();
    expect(made.admin_key).toMatch(/^aos_admin_[A-Za-z0-9_-]{43}$/);
    expect(ensureSecrets(folder.path)).toEqual(made);
    expect(statSync(join(folder.path, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('have a key with a name of its own in each folder', () => {
    const nameOf = (path: string) => ensureSecrets(path).secrets_keys.split(':')[0];
    const other = join(folder.path, 'other');
    mkdirSync(other);
    expect(nameOf(other)).not.toBe(nameOf(folder.path));
  });

  it('hold credentials only when they are complete', () => {
    expect(readCredentials(folder.path)).toBeUndefined();
    const credentials = { base_url: 'http://a', team_id: 't', api_key: 'k', admin_key: 'a' };
    writeCredentials(folder.path, credentials);
    expect(readCredentials(folder.path)).toEqual(credentials);
    expect(statSync(credentialsPath(folder.path)).mode & 0o777).toBe(0o600);
    writeFileSync(credentialsPath(folder.path), JSON.stringify({ admin_key: 'a' }));
    expect(readCredentials(folder.path)).toBeUndefined();
  });

  it.each(['{', '{}', '{"secrets_keys":"k1:x","admin_key":"a"}'])(
    'are never made over damaged secrets: %s',
    (text) => {
      const path = join(folder.path, 'secrets.json');
      writeFileSync(path, text);
      expect(() => ensureSecrets(folder.path)).toThrow(`${path} is damaged`);
    },
  );
});
