import { createHash } from 'node:crypto';

/** The queue of a team's callbacks at one host: a host that hangs delays neither others nor those of other teams. */
export function callbackQueue(teamId: string, url: string): string {
  const { origin } = new URL(url);
  return uuidOf(createHash('sha256').update(`${teamId} ${origin}`).digest());
}

/** The first bytes as a UUID of version 8, which is for such uses. */
function uuidOf(digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
