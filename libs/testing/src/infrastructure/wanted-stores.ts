/** A Postgres and a Redis that tests may use. */
export interface Stores {
  /** Where they come from, for the first line of a test run. */
  readonly origin: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  stop(): Promise<void>;
}

/** The images of the containers that tests use. */
export interface StoreImages {
  readonly postgres: string;
  readonly redis: string;
}

/** What the environment asks for; `isRequired`: without containers the run ends. */
export type WantedStores =
  | {
      readonly kind: 'given';
      readonly origin: string;
      readonly databaseUrl: string;
      readonly redisUrl: string;
    }
  | { readonly kind: 'containers'; readonly isRequired: boolean; readonly images: StoreImages }
  | { readonly kind: 'embedded' };

const defaultImages: StoreImages = { postgres: 'postgres:16-alpine', redis: 'redis:7-alpine' };
const modes = ['containers', 'embedded'];

/**
 * Reads which stores a run of tests wants. What contradicts itself is refused: a run that was to prove something about
 * containers must not pass on other stores.
 */
export function wantedStores(environment: Readonly<Record<string, string | undefined>>): WantedStores {
  const {
    TEST_DATABASE_URL: databaseUrl,
    TEST_REDIS_URL: redisUrl,
    TEST_STORES: mode,
    TEST_POSTGRES_IMAGE: postgres,
    TEST_REDIS_IMAGE: redis,
  } = environment;
  if (mode && !modes.includes(mode)) throw new Error(`TEST_STORES must be ${modes.join(' or ')}`);
  const namesImages = Boolean(postgres || redis);
  if (mode === 'embedded' && namesImages) {
    throw new Error('TEST_STORES=embedded takes no image: unset TEST_POSTGRES_IMAGE and TEST_REDIS_IMAGE');
  }
  if (Boolean(databaseUrl) !== Boolean(redisUrl)) {
    throw new Error('TEST_DATABASE_URL and TEST_REDIS_URL go together: one of them is missing');
  }
  if (databaseUrl && redisUrl) {
    if (mode || namesImages) {
      throw new Error(
        'TEST_DATABASE_URL and TEST_REDIS_URL leave nothing to choose: unset TEST_STORES and images',
      );
    }
    return { kind: 'given', origin: 'given addresses', databaseUrl, redisUrl };
  }
  if (mode === 'embedded') return { kind: 'embedded' };
  return {
    kind: 'containers',
    isRequired: mode === 'containers' || namesImages,
    images: { postgres: postgres || defaultImages.postgres, redis: redis || defaultImages.redis },
  };
}
