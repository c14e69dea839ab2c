export { KeyRing, SealError, isSealed, type SealErrorReason } from './key-ring.js';
export { parseSecretsKeys, secretsKeysFault, SecretsKeysError, type SecretsKey } from './secrets-keys.js';
export { hashToken, randomToken, timingSafeEqualText } from './tokens.js';
