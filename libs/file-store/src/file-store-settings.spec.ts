import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { checkFileStoreSettings, createFileStore, fileStoreSettings } from './file-store-settings.js';
import { FolderFileStore } from './folder/folder-file-store.js';
import { S3FileStore } from './s3/s3-file-store.js';

const schema = z.object(fileStoreSettings).superRefine(checkFileStoreSettings);

const folder = { FILES_DIR: '/var/lib/aos/files' };
const s3 = {
  S3_ENDPOINT: 'https://s3.example.com',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'an-access-key',
  S3_SECRET_ACCESS_KEY: 'a-very-secret-key',
};
const defaults = { S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: true };

const problemsOf = (given: Record<string, string>) =>
  schema.safeParse(given).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('fileStoreSettings', () => {
  it('take a folder, or S3, or both', () => {
    expect(schema.parse(folder)).toEqual({ ...folder, ...defaults });
    expect(schema.parse(s3)).toEqual({ ...s3, ...defaults });
    expect(schema.parse({ ...folder, ...s3, S3_REGION: 'eu-1', S3_FORCE_PATH_STYLE: 'false' })).toEqual({
      ...folder,
      ...s3,
      S3_REGION: 'eu-1',
      S3_FORCE_PATH_STYLE: false,
    });
  });

  it('need one of them', async () => {
    const message = 'FILES_DIR: is required unless S3_ENDPOINT and S3_BUCKET are set';
    expect(problemsOf({})).toEqual([message]);
    await expect(createFileStore(defaults)).rejects.toThrow(message);
  });

  it.each(Object.keys(s3))('name %s when it alone is missing', async (missing) => {
    const half = Object.fromEntries(
      Object.entries({ ...folder, ...s3 }).filter(([name]) => name !== missing),
    );
    const given = missing === 'S3_ENDPOINT' ? 'S3_BUCKET' : 'S3_ENDPOINT';
    const message = `${missing}: is required when ${given} is set`;
    expect(problemsOf(half)).toEqual([message]);
    await expect(createFileStore({ ...defaults, ...half })).rejects.toThrow(message);
  });

  it.each(Object.entries(s3))('name all others when only %s is set', (name, value) => {
    const others = Object.keys(s3).filter((other) => other !== name);
    expect(problemsOf({ ...folder, [name]: value })).toEqual(
      others.map((other) => `${other}: is required when ${name} is set`),
    );
  });

  it.each([
    [{ FILES_DIR: 'files' }, 'FILES_DIR: must be an absolute path'],
    [{ ...folder, S3_FORCE_PATH_STYLE: 'yes' }, 'S3_FORCE_PATH_STYLE: must be true or false'],
    [
      { ...s3, S3_ENDPOINT: 's3.example.com' },
      'S3_ENDPOINT: must be a URL that begins with http:// or https://',
    ],
    [
      { ...s3, S3_ENDPOINT: 'ftp://s3.example.com' },
      'S3_ENDPOINT: must be a URL that begins with http:// or https://',
    ],
    [{ ...s3, S3_ENDPOINT: 'https://' }, 'S3_ENDPOINT: must be a URL that begins with http:// or https://'],
  ])('refuse %j', (given, message) => {
    expect(problemsOf(given)).toEqual([message]);
  });
});

describe('createFileStore', () => {
  it('stores in the folder', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'aos-files-'));
    const store = await createFileStore({ ...defaults, FILES_DIR: dir });
    expect(store).toBeInstanceOf(FolderFileStore);
    await store.write('a/b', Buffer.from('x'), { maxBytes: 1 });
    expect(await store.size('a/b')).toBe(1);
    await rm(dir, { recursive: true });
  });

  it('prefers S3 when it is set', async () => {
    const store = await createFileStore({ ...defaults, ...folder, ...s3 });
    expect(store).toBeInstanceOf(S3FileStore);
    await store.close();
  });
});
