import { startStores, type StoreSources } from './stores.js';
import { wantedStores, type StoreImages, type Stores } from './wanted-stores.js';

const addresses = { TEST_DATABASE_URL: 'postgres://a/b', TEST_REDIS_URL: 'redis://c' };

describe('the stores that an environment asks for', () => {
  it('are containers, unless it says otherwise; then they need not be had', () => {
    const images = { postgres: 'postgres:16-alpine', redis: 'redis:7-alpine' };
    expect(wantedStores({})).toEqual({ kind: 'containers', isRequired: false, images });
    expect(wantedStores({ TEST_STORES: '', TEST_POSTGRES_IMAGE: '' })).toEqual(wantedStores({}));
    expect(wantedStores({ TEST_STORES: 'containers' })).toMatchObject({ isRequired: true, images });
    expect(wantedStores({ TEST_STORES: 'embedded' })).toEqual({ kind: 'embedded' });
  });

  it.each([
    [{ TEST_POSTGRES_IMAGE: 'postgres:15' }, { postgres: 'postgres:15', redis: 'redis:7-alpine' }],
    [{ TEST_REDIS_IMAGE: 'valkey/valkey:8' }, { postgres: 'postgres:16-alpine', redis: 'valkey/valkey:8' }],
  ])('are required where an image is named: %p', (environment, images) => {
    expect(wantedStores(environment)).toEqual({ kind: 'containers', isRequired: true, images });
  });

  it('are those at the addresses that it gives', () => {
    expect(wantedStores(addresses)).toMatchObject({ kind: 'given', origin: 'given addresses' });
  });

  it.each([
    [{ TEST_STORES: 'docker' }, /TEST_STORES must be containers or embedded/],
    [{ TEST_STORES: 'embedded', TEST_REDIS_IMAGE: 'redis:8' }, /takes no image/],
    [{ TEST_DATABASE_URL: 'postgres://a/b' }, /go together/],
    [{ ...addresses, TEST_STORES: 'containers' }, /leave nothing to choose/],
    [{ ...addresses, TEST_POSTGRES_IMAGE: 'postgres:15' }, /leave nothing to choose/],
  ])('are refused where it contradicts itself: %p', (environment, reason) => {
    expect(() => wantedStores(environment)).toThrow(reason);
  });
});

describe('the stores that are started', () => {
  const said: string[] = [];
  let asked = 0;

  beforeEach(() => {
    said.length = 0;
    asked = 0;
  });

  const stores = (origin: string): Stores => ({
    origin,
    databaseUrl: '',
    redisUrl: '',
    stop: async () => undefined,
  });

  const engine = (answers: boolean, start?: (images: StoreImages) => Stores): StoreSources => ({
    engineAnswers: async () => {
      asked += 1;
      return answers;
    },
    startContainers: async (images) => (start ?? (() => stores('containers')))(images),
    startEmbedded: async () => stores('embedded'),
    say: (line) => said.push(line),
  });
  const broken = engine(true, () => {
    throw new Error('no such image');
  });

  it('are containers where an engine answers, else embedded', async () => {
    expect(await startStores({}, engine(true))).toMatchObject({ origin: 'containers' });
    expect(await startStores({}, engine(false))).toMatchObject({ origin: 'embedded' });
  });

  it('are embedded without a question to the engine where that was asked for', async () => {
    expect(await startStores({ TEST_STORES: 'embedded' }, engine(true))).toMatchObject({
      origin: 'embedded',
    });
    expect(asked).toBe(0);
  });

  it('are embedded, and it is said why, where containers need not be had and do not start', async () => {
    expect(await startStores({}, broken)).toMatchObject({ origin: 'embedded' });
    expect(said).toEqual(['Containers cannot be used: Error: no such image']);
  });

  it('are never others than containers where those are required', async () => {
    const required = { TEST_STORES: 'containers' };
    await expect(startStores(required, engine(false))).rejects.toThrow(/no engine answers/);
    await expect(startStores(required, broken)).rejects.toThrow(/did not start: Error: no such image/);
    await expect(startStores({ TEST_POSTGRES_IMAGE: 'postgres:15' }, broken)).rejects.toThrow(/required/);
  });

  it('are made of the images that are named', async () => {
    const named = engine(true, ({ postgres, redis }) => stores(`${postgres} ${redis}`));
    const environment = { TEST_POSTGRES_IMAGE: 'postgres:15', TEST_REDIS_IMAGE: 'redis:8' };
    expect(await startStores(environment, named)).toMatchObject({ origin: 'postgres:15 redis:8' });
  });
});
