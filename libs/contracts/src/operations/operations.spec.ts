import { z } from 'zod';
import { pathParams } from '../declarations/operation.js';
import { scopes } from '../principals/scopes.js';
import { serviceNames } from '../services.js';
import { operations } from './index.js';

describe('the operation table', () => {
  it('names every operation once', () => {
    const ids = operations.map((operation) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has one operation for a method and path, whatever the parameters are called', () => {
    const routes = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s is whole',
    (_, op) => {
      expect(op.operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(op.path).toMatch(/^\/v2\//);
      expect(serviceNames).toContain(op.owner);
      expect(scopes).toContain(op.scope);
      expect(op.mutating).toBe(op.method !== 'GET');
      expect(Object.keys((op.params as unknown as { shape: object }).shape)).toEqual(pathParams(op.path));
      expect(op.status).toBeGreaterThanOrEqual(200);
      expect(op.status).toBeLessThan(300);
    },
  );

  it('says of each stream, and of nothing else, what it carries', () => {
    for (const { kind, streams } of operations) expect(streams !== undefined).toBe(kind === 'stream');
  });

  it('lets a client wait where the body can say how long', () => {
    const waiting = operations.filter(({ waitsFor }) => waitsFor !== undefined);
    expect(waiting.map(({ operationId }) => operationId)).toEqual(['startRun']);
    for (const { body } of waiting)
      expect(body.safeParse({ wait_seconds: 'x' }).error?.issues).toContainEqual(
        expect.objectContaining({ path: ['wait_seconds'] }),
      );
  });

  it('says how many entries of any name a body may have', () => {
    const taken = operations.filter(({ takes, kind }) => takes === 'json' && kind !== 'rpc');
    const unbounded = taken.filter(({ body }) =>
      hasUnboundedEntries(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })),
    );
    expect(unbounded.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('knows which operations show a secret', () => {
    const showing = operations.filter((op) => op.secrets.response).map((op) => op.operationId);
    expect(showing.sort()).toEqual([
      'answerArtifact',
      'authorizeMcpOAuth',
      'createApiKey',
      'createArtifact',
      'createOAuthClient',
      'createSandboxUploadUrl',
      'createTeam',
      'duplicateArtifact',
      'getArtifact',
      'getWebhookSecret',
      'listArtifacts',
      'oauthCallback',
      'oauthCallbackOfConnection',
      'postArtifactMessage',
      'publishArtifact',
      'refreshArtifact',
      'restoreArtifactRevision',
      'rotateWebhookSecret',
      'startNativeOAuth',
      'stopArtifact',
      'updateArtifact',
    ]);
  });

  it('knows which operations are given a secret', () => {
    const given = operations.filter((op) => op.secrets.request).map((op) => op.operationId);
    expect(given.sort()).toEqual([
      'createConnection',
      'finalizeOAuth',
      'oauthCallback',
      'oauthCallbackOfConnection',
      'probeMcpServer',
      'updateConnection',
    ]);
  });
});

/** Whether a schema takes entries of any name, and as many as there are. */
function hasUnboundedEntries(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { additionalProperties, maxProperties } = schema as Record<string, unknown>;
  if (typeof additionalProperties === 'object' && maxProperties === undefined) return true;
  return Object.values(schema).some(hasUnboundedEntries);
}
