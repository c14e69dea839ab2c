import { AppError } from '@aos/contracts';
import { SealedValues, Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { KeyRing, SealError } from '@aos/secrets';
import { Injectable } from '@nestjs/common';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import type { Repository } from 'typeorm';
import { SigningKeyEntity } from './token.entities.js';
import { lockSigningKeys } from './tokens.sql.js';

export const signingAlgorithm = 'ES256';

export interface SigningKey {
  readonly kid: string;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly sealedPrivateJwk: string;
}

const sealContext = 'signing-key';
/** A key that another gateway made a moment ago is looked up again; a made-up one is not, all the time. */
const reloadAtMostEveryMs = 1_000;

/** The keys that sign access tokens: shared by all gateways, made at first use, sealed at rest. */
@Injectable()
export class SigningKeys {
  private keys: Promise<readonly SigningKey[]> | undefined;
  private readonly privateKeys = new Map<string, Promise<CryptoKey>>();
  /** By the monotonic clock. */
  private loadedAt = -Infinity;
  private missingKeyId: string | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly keyRing: KeyRing,
    private readonly logger: Logger,
    sealed: SealedValues,
  ) {
    sealed.add({
      table: 'signing_key',
      column: 'sealed_private_jwk',
      key: ['kid'],
      context: () => sealContext,
    });
  }

  /** The newest key, to sign with. Those that only verify need nothing that is sealed. */
  async current(): Promise<{ kid: string; privateKey: CryptoKey }> {
    const keys = await this.all();
    const { kid, sealedPrivateJwk } = keys.at(-1)!;
    let privateKey = this.privateKeys.get(kid);
    if (!privateKey) {
      privateKey = this.open(sealedPrivateJwk);
      this.privateKeys.set(kid, privateKey);
    }
    return { kid, privateKey: await privateKey };
  }

  async all(): Promise<readonly SigningKey[]> {
    this.keys ??= this.load().catch((error: unknown) => {
      this.keys = undefined;
      throw error;
    });
    return this.keys;
  }

  async find(kid: string): Promise<SigningKey | undefined> {
    const known = (await this.all()).find((key) => key.kid === kid);
    if (known || performance.now() - this.loadedAt < reloadAtMostEveryMs) return known;
    this.keys = undefined;
    return (await this.all()).find((key) => key.kid === kid);
  }

  private async load(): Promise<readonly SigningKey[]> {
    this.loadedAt = performance.now();
    const rows = await this.transactions.run(async () => {
      const existing = await this.select();
      if (existing.length > 0) return existing;
      await this.transactions.query(lockSigningKeys);
      const sinceMade = await this.select();
      if (sinceMade.length > 0) return sinceMade;
      await this.make();
      return this.select();
    });
    return Promise.all(rows.map(toKey));
  }

  private select(): Promise<SigningKeyEntity[]> {
    return this.rows.find({ order: { created_at: 'ASC' } });
  }

  private async make(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
    const publicJwk = { ...(await exportJWK(publicKey)), alg: signingAlgorithm, use: 'sig' };
    const kid = await calculateJwkThumbprint(publicJwk);
    const sealed = this.keyRing.seal(JSON.stringify(await exportJWK(privateKey)), sealContext);
    await this.rows.insert({
      kid,
      public_jwk: { ...publicJwk, kid },
      sealed_private_jwk: sealed,
      created_at: () => 'now()',
    });
  }

  private get rows(): Repository<SigningKeyEntity> {
    return this.transactions.repository(SigningKeyEntity);
  }

  private async open(sealed: string): Promise<CryptoKey> {
    try {
      const privateJwk = JSON.parse(this.keyRing.open(sealed, sealContext)) as JWK;
      return (await importJWK(privateJwk, signingAlgorithm)) as CryptoKey;
    } catch (error) {
      this.privateKeys.clear();
      // Another gateway may seal it again with a key that this one has.
      this.keys = undefined;
      if (!(error instanceof SealError) || error.reason !== 'unknown_key') throw error;
      this.tell(error);
      throw new AppError('unavailable', 'Access tokens cannot be issued at the moment.', {
        retryAfterSeconds: 60,
        cause: error,
      });
    }
  }

  private tell(error: SealError): void {
    if (this.missingKeyId === error.keyId) return;
    this.missingKeyId = error.keyId;
    this.logger.error(
      { err: error, key_id: error.keyId },
      `no access token can be issued: the signing key is sealed with ${error.keyId}, which is not in SECRETS_KEYS`,
    );
  }
}

async function toKey(row: SigningKeyEntity): Promise<SigningKey> {
  return {
    kid: row.kid,
    publicJwk: row.public_jwk,
    publicKey: (await importJWK(row.public_jwk, signingAlgorithm)) as CryptoKey,
    sealedPrivateJwk: row.sealed_private_jwk,
  };
}
