import { downloadFile, uploadFile, type Operation } from '@aos/contracts';
import { parseSecretsKeys } from '@aos/secrets';
import {
  linkKeysOf,
  signLink,
  verifyLink,
  type LinkClaims,
  type LinkKeys,
  type LinkKind,
} from './signed-links.js';

/** The file that a link is for: whatever is there when the link is used. */
export interface LinkedFile {
  readonly teamId: string;
  readonly sandboxId: string;
  readonly path: string;
  /** Whose requests the uses of the link are. */
  readonly credentialId?: string;
}

export const linkSeconds = 3600;

const operations: Readonly<Record<LinkKind, Operation>> = { upload: uploadFile, download: downloadFile };

/** Addresses that need no credential, for one file each. */
export class FileLinks {
  private readonly keys: LinkKeys;

  constructor(
    secretsKeys: string,
    private readonly baseUrl: string,
  ) {
    this.keys = linkKeysOf(parseSecretsKeys(secretsKeys));
  }

  url(kind: LinkKind, { teamId, sandboxId, path, credentialId }: LinkedFile): string {
    const expiresAt = new Date(Date.now() + linkSeconds * 1000);
    const maker: LinkClaims = credentialId === undefined ? {} : { c: credentialId };
    const claims = { kind, t: teamId, s: sandboxId, p: path, ...maker };
    const token = signLink(claims, this.keys, expiresAt);
    return `${this.baseUrl}${operations[kind].path.replace('{token}', token)}`;
  }

  /** Nothing for a token that is expired, altered or of another kind. */
  open(kind: LinkKind, token: string): LinkedFile | undefined {
    const claims = verifyLink(token, kind, this.keys, new Date());
    if (!claims) return undefined;
    const { t, s, p, c } = claims;
    return {
      teamId: String(t),
      sandboxId: String(s),
      path: String(p),
      ...(c === undefined ? {} : { credentialId: String(c) }),
    };
  }
}
