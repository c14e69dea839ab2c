import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { parseSecretsKeys } from './secrets-keys.js';

const algorithm = 'aes-256-gcm';
const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;
// 28 bytes (nonce and tag around an empty text) are 38 characters.
const sealedPattern = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{38,})$/;

export type SealErrorReason = 'malformed' | 'unknown_key' | 'rejected';

const sealErrorMessages: Record<SealErrorReason, string> = {
  malformed: 'The text is not a sealed value.',
  unknown_key: 'The value was sealed with a key that is not in the key ring.',
  rejected: 'The sealed value was altered or belongs to another context.',
};

/** A sealed value that cannot be opened. GCM cannot tell tampering from a wrong context: both are `rejected`. */
export class SealError extends Error {
  override readonly name = 'SealError';

  constructor(
    readonly reason: SealErrorReason,
    /** The id of the key that is missing. */
    readonly keyId?: string,
  ) {
    super(
      keyId === undefined ? sealErrorMessages[reason] : `${sealErrorMessages[reason]} Its id is ${keyId}.`,
    );
  }
}

/** True for texts with the shape that `KeyRing.seal` gives; says nothing about whether they open. */
export function isSealed(text: string): boolean {
  return sealedPattern.test(text);
}

/**
 * Seals texts with AES-256-GCM under the first key and opens those of every key.
 * Rotation: put the new key first, keep the old ones behind it until nothing is sealed with them.
 */
export class KeyRing {
  readonly #keys: ReadonlyMap<string, KeyObject>;

  private constructor(
    readonly currentKeyId: string,
    keys: ReadonlyMap<string, KeyObject>,
  ) {
    this.#keys = keys;
  }

  /** Reads `SECRETS_KEYS`; throws `SecretsKeysError`, whose message never holds key material. */
  static parse(text: string): KeyRing {
    const entries = parseSecretsKeys(text);
    const keys = new Map(entries.map(({ keyId, material }) => [keyId, createSecretKey(material)]));
    return new KeyRing(entries[0].keyId, keys);
  }

  /** The ids of all keys, the current one first. */
  get keyIds(): string[] {
    return [...this.#keys.keys()];
  }

  /** `context` is authenticated, not stored: a value moved to another row or team does not open there. */
  seal(plaintext: string, context: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.key(this.currentKeyId), nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const body = Buffer.concat([
      nonce,
      cipher.update(plaintext, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${version}.${this.currentKeyId}.${body.toString('base64url')}`;
  }

  /** Throws `SealError` for a text that is not sealed, an unknown key, tampering or a wrong context. */
  open(sealed: string, context: string): string {
    const { keyId, body } = parseSealed(sealed);
    const decipher = createDecipheriv(algorithm, this.key(keyId), body.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(body.subarray(-tagBytes));
    try {
      const start = decipher.update(body.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([start, decipher.final()]).toString('utf8');
    } catch {
      throw new SealError('rejected');
    }
  }

  private key(keyId: string): KeyObject {
    const key = this.#keys.get(keyId);
    if (!key) throw new SealError('unknown_key', keyId);
    return key;
  }
}

function parseSealed(sealed: string): { keyId: string; body: Buffer } {
  const [, keyId, encoded] = sealedPattern.exec(sealed) ?? [];
  if (keyId === undefined || encoded === undefined) throw new SealError('malformed');
  const body = Buffer.from(encoded, 'base64url');
  // Node ignores stray trailing bits: without this two different texts would open to the same value.
  if (body.toString('base64url') !== encoded) throw new SealError('malformed');
  return { keyId, body };
}
