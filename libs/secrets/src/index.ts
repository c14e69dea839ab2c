export { KeyRing, SealError, isSealed, type SealErrorReason } from './key-ring.js';
export { SecretsKeysError, secretsKeysSchema } from './secrets-keys.js';
export { hashToken, randomToken, timingSafeEqualText } from './tokens.js';
