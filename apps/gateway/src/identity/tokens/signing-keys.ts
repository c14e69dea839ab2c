import { Transactions } from '@aos/persistence';
import { KeyRing } from '@aos/secrets';
import { Inject, Injectable } from '@nestjs/common';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import type { SigningKeyEntity } from './token.entities.js';

export const signingAlgorithm = 'ES256';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
}

const sealContext = 'signing-key';
/** A key that another gateway made a moment ago is looked up again; a made-up one is not, all the time. */
const reloadAtMostEveryMs = 1_000;

/** The keys that sign access tokens: shared by all gateways, made at first use, sealed at rest. */
@Injectable()
export class SigningKeys {
  private keys: Promise<readonly SigningKey[]> | undefined;
  private loadedAt = 0;

  constructor(
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(KeyRing) private readonly keyRing: KeyRing,
  ) {}

  /** The newest key. */
  async current(): Promise<SigningKey> {
    const keys = await this.all();
    return keys.at(-1)!;
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
    if (known || Date.now() - this.loadedAt < reloadAtMostEveryMs) return known;
    this.keys = undefined;
    return (await this.all()).find((key) => key.kid === kid);
  }

  private async load(): Promise<readonly SigningKey[]> {
    this.loadedAt = Date.now();
    const rows = await this.transactions.run(async () => {
      const existing = await this.select();
      if (existing.length > 0) return existing;
      // Two gateways that start together must not make two keys.
      await this.transactions.query(`LOCK TABLE signing_key IN EXCLUSIVE MODE`);
      const sinceMade = await this.select();
      if (sinceMade.length > 0) return sinceMade;
      await this.make();
      return this.select();
    });
    return Promise.all(rows.map((row) => this.toKey(row)));
  }

  private select(): Promise<SigningKeyEntity[]> {
    return this.transactions.query<SigningKeyEntity>('SELECT * FROM signing_key ORDER BY created_at');
  }

  private async make(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
    const publicJwk = { ...(await exportJWK(publicKey)), alg: signingAlgorithm, use: 'sig' };
    const kid = await calculateJwkThumbprint(publicJwk);
    const sealed = this.keyRing.seal(JSON.stringify(await exportJWK(privateKey)), sealContext);
    await this.transactions.query(
      'INSERT INTO signing_key (kid, public_jwk, sealed_private_jwk, created_at) VALUES ($1, $2, $3, now())',
      [kid, JSON.stringify({ ...publicJwk, kid }), sealed],
    );
  }

  private async toKey(row: SigningKeyEntity): Promise<SigningKey> {
    const privateJwk = JSON.parse(this.keyRing.open(row.sealed_private_jwk, sealContext)) as JWK;
    return {
      kid: row.kid,
      publicJwk: row.public_jwk,
      publicKey: (await importJWK(row.public_jwk, signingAlgorithm)) as CryptoKey,
      privateKey: (await importJWK(privateJwk, signingAlgorithm)) as CryptoKey,
    };
  }
}
