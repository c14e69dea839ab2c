import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const iterations = 4096;
const saltBytes = 16;
const digest = 'sha256';

/** What Postgres stores of a password (RFC 5803), so that the password itself is in no statement and no log of the server. */
export function scramVerifier(password: string, salt = randomBytes(saltBytes)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, digest);
  const keyOf = (name: string) => createHmac(digest, salted).update(name).digest();
  const stored = createHash(digest).update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}
