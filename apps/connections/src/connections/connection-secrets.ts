import { AppError } from '@aos/contracts';
import { SealedValues } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { KeyRing, SealError } from '@aos/secrets';
import { Injectable } from '@nestjs/common';
import type { ConnectionEntity } from './connection.entity.js';
import { joinAddress } from './secret-address.js';

/** Tokens as they lie in a connection. */
export interface StoredTokens {
  readonly access_token: string;
  readonly refresh_token?: string;
}

const columns = ['sealed_headers', 'sealed_path', 'sealed_tokens', 'sealed_client_secret'] as const;

type SealedColumn = (typeof columns)[number];

/** The secrets of connections: sealed for the row and column that they lie in. */
@Injectable()
export class ConnectionSecrets {
  constructor(
    private readonly keyRing: KeyRing,
    private readonly logger: Logger,
    values: SealedValues,
  ) {
    for (const column of columns) {
      values.add({
        table: 'connection',
        column,
        key: ['id'],
        context: ({ id }) => contextOf(column, String(id)),
      });
    }
  }

  sealHeaders(id: string, headers: Readonly<Record<string, string>>): string | null {
    if (Object.keys(headers).length === 0) return null;
    return this.seal(id, 'sealed_headers', JSON.stringify(headers));
  }

  sealPath(id: string, path: string): string {
    return this.seal(id, 'sealed_path', path);
  }

  sealTokens(id: string, tokens: StoredTokens): string {
    return this.seal(id, 'sealed_tokens', JSON.stringify(tokens));
  }

  sealClientSecret(id: string, secret: string | undefined): string | null {
    return secret === undefined ? null : this.seal(id, 'sealed_client_secret', secret);
  }

  headersOf(row: Pick<ConnectionEntity, 'id' | 'sealed_headers'>): Record<string, string> {
    const text = this.open(row.id, 'sealed_headers', row.sealed_headers);
    return text === undefined ? {} : (JSON.parse(text) as Record<string, string>);
  }

  /** The whole address, which may be the credential. */
  addressOf(row: Pick<ConnectionEntity, 'id' | 'auth_method' | 'server_url' | 'sealed_path'>): string {
    const { auth_method: method, server_url: url } = row;
    const path = method === 'url' ? this.open(row.id, 'sealed_path', row.sealed_path) : undefined;
    return path === undefined ? url : joinAddress({ origin: url, path });
  }

  tokensOf(row: Pick<ConnectionEntity, 'id' | 'sealed_tokens'>): StoredTokens | undefined {
    const text = this.open(row.id, 'sealed_tokens', row.sealed_tokens);
    return text === undefined ? undefined : (JSON.parse(text) as StoredTokens);
  }

  clientSecretOf(row: Pick<ConnectionEntity, 'id' | 'sealed_client_secret'>): string | undefined {
    return this.open(row.id, 'sealed_client_secret', row.sealed_client_secret);
  }

  private seal(id: string, column: SealedColumn, text: string): string {
    return this.keyRing.seal(text, contextOf(column, id));
  }

  private open(id: string, column: SealedColumn, sealed: string | null): string | undefined {
    if (sealed === null) return undefined;
    try {
      return this.keyRing.open(sealed, contextOf(column, id));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.logger.error(
        { err: error, key_id: error.keyId, connection_id: id, column },
        'a secret cannot be opened',
      );
      throw new AppError(
        'not_configured',
        'The credentials of the connection cannot be opened: the key that seals them is not in the key ring.',
      );
    }
  }
}

function contextOf(column: SealedColumn, id: string): string {
  return `connection:${column}:${id}`;
}
