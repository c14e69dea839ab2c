const keyBytes = 32;
const keyIdPattern = /^[A-Za-z0-9_-]{1,32}$/;
const base64Pattern = /^[A-Za-z0-9+/]{43}=$/;

export interface SecretsKey {
  keyId: string;
  material: Buffer;
}

/** A fault in `SECRETS_KEYS`. Names the place of the bad key only: a misplaced key can sit where the id belongs. */
export class SecretsKeysError extends Error {
  override readonly name = 'SecretsKeysError';
}

/** Reads `<keyId>:<base64 of 32 bytes>[,<keyId>:<...>]`; the first key is the current one. */
export function parseSecretsKeys(text: string): [SecretsKey, ...SecretsKey[]] {
  const [first, ...others] = text.split(',').map((entry, index) => parseEntry(entry.trim(), index + 1));
  if (!first) throw new SecretsKeysError('must hold at least one key');
  const seen = new Set<string>();
  for (const [index, { keyId }] of [first, ...others].entries()) {
    if (seen.has(keyId)) throw new SecretsKeysError(`key ${index + 1} repeats the id of an earlier key`);
    seen.add(keyId);
  }
  return [first, ...others];
}

function parseEntry(entry: string, position: number): SecretsKey {
  const separator = entry.indexOf(':');
  if (separator < 0) {
    throw new SecretsKeysError(`key ${position} must have the form <keyId>:<base64 of ${keyBytes} bytes>`);
  }
  const keyId = entry.slice(0, separator);
  const encoded = entry.slice(separator + 1);
  if (!keyIdPattern.test(keyId)) {
    throw new SecretsKeysError(`key ${position} must have an id of 1 to 32 letters, digits, "_" or "-"`);
  }
  const material = Buffer.from(encoded, 'base64');
  if (!base64Pattern.test(encoded) || material.toString('base64') !== encoded) {
    throw new SecretsKeysError(`key ${position} must be the base64 of exactly ${keyBytes} bytes`);
  }
  return { keyId, material };
}

/** What is wrong with a value of `SECRETS_KEYS`, if anything; names the fault, never the value. */
export function secretsKeysFault(text: string): string | undefined {
  try {
    parseSecretsKeys(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SecretsKeysError)) throw error;
    return error.message;
  }
}
