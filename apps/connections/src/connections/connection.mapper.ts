import type { Connection } from '@aos/contracts';
import type { ConnectionEntity } from './connection.entity.js';

export function toConnection(row: ConnectionEntity): Connection {
  return {
    id: row.id,
    connection_id: row.id,
    team_id: row.team_id,
    name: row.name,
    type: row.type,
    provider: row.provider,
    server_url: row.server_url,
    auth_method: row.auth_method,
    oauth_scopes: row.oauth_scopes,
    required_scopes: row.required_scopes,
    headers: { plaintext: row.headers },
    has_headers: row.sealed_headers !== null || Object.keys(row.headers).length > 0,
    has_oauth_tokens: row.sealed_tokens !== null,
    status: row.status,
    broken_at: row.broken_at?.toISOString() ?? null,
    broken_reason: row.broken_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
