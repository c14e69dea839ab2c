import { consoleSignIns } from '@aos/contracts';
import { RedisConnections } from '@aos/messaging';
import { hashToken, KeyRing, randomToken } from '@aos/secrets';
import { Injectable } from '@nestjs/common';

/** Long enough to click on what `npm start` has printed. */
export const codeSeconds = 900;
const prefix = 'signin_';

/**
 * Codes that stand for a key, once. Redis has only the hash of a code, and the key sealed; that it forgets costs a person
 * another link.
 */
@Injectable()
export class SignInCodes {
  constructor(
    private readonly connections: RedisConnections,
    private readonly ring: KeyRing,
  ) {}

  async make(apiKey: string): Promise<string> {
    const code = randomToken(prefix);
    const name = this.nameOf(code);
    await this.connections.shared.set(name, this.ring.seal(apiKey, name), 'EX', codeSeconds);
    return code;
  }

  /** The key, the first time; undefined for a code that was used, is too old, or never was one. */
  async take(code: string): Promise<string | undefined> {
    const name = this.nameOf(code);
    const sealed = await this.connections.shared.getdel(name);
    return sealed === null ? undefined : this.ring.open(sealed, name);
  }

  private nameOf(code: string): string {
    return this.connections.key(consoleSignIns.name, hashToken(code));
  }
}
