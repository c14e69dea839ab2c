import { randomBytes } from 'node:crypto';
import { KeyRing } from './key-ring.js';
import { secretsKeysFault, SecretsKeysError } from './secrets-keys.js';

const material = randomBytes(32).toString('base64');
const other = randomBytes(32).toString('base64');

const faults: [string, string, RegExp][] = [
  ['nothing', '', /key 1 must have the form/],
  ['no id', material, /key 1 must have the form/],
  ['an empty id', `:${material}`, /key 1 must have an id/],
  ['an id that is too long', `${'k'.repeat(33)}:${material}`, /key 1 must have an id/],
  ['an id with a dot', `k.1:${material}`, /key 1 must have an id/],
  ['id and key swapped', `${material}:k1`, /key 1 must have an id/],
  ['a short key', `k1:${randomBytes(31).toString('base64')}`, /key 1 must be the base64 of exactly 32 bytes/],
  ['a long key', `k1:${randomBytes(33).toString('base64')}`, /key 1 must be the base64 of exactly 32 bytes/],
  ['a key that is not base64', `k1:${'*'.repeat(44)}`, /key 1 must be the base64 of exactly 32 bytes/],
  ['stray bits at the end', `k1:${'A'.repeat(42)}B=`, /key 1 must be the base64 of exactly 32 bytes/],
  ['a fault in the second key', `k1:${material},k2:short`, /key 2 must be the base64/],
  ['an id twice', `k1:${material},k1:${other}`, /key 2 repeats the id/],
  ['a comma at the end', `k1:${material},`, /key 2 must have the form/],
];

describe('SECRETS_KEYS', () => {
  it.each(faults)('refuses %s', (_, text, message) => {
    expect(() => KeyRing.parse(text)).toThrow(SecretsKeysError);
    expect(() => KeyRing.parse(text)).toThrow(message);
    expect(secretsKeysFault(text)).toMatch(message);
  });

  it.each(faults)('prints nothing of the value: %s', (_, text) => {
    const fault = secretsKeysFault(text);
    for (const part of text.split(/[,:]/).filter((candidate) => candidate.length > 4)) {
      expect(fault).not.toContain(part);
    }
    expect(fault).toBeDefined();
  });

  it('accepts one key, several, and blanks around them', () => {
    const text = ` k1:${material} ,\n k2:${other}\n`;
    expect(KeyRing.parse(text).currentKeyId).toBe('k1');
    expect(secretsKeysFault(text)).toBeUndefined();
  });
});
