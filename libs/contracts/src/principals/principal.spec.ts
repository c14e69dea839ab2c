import { callerOf, type OperationAccess, type Principal } from './principal.js';

const credential = { credentialId: 'c', scopes: [] };
const principals: Readonly<Record<string, Principal>> = {
  key: { ...credential, kind: 'api_key', teamId: 't' },
  client: { ...credential, kind: 'oauth_client', teamId: 't' },
  link: { ...credential, kind: 'link', teamId: 't' },
  admin: { ...credential, kind: 'admin', teamId: null },
  anonymous: { ...credential, kind: 'anonymous', teamId: null },
};

describe('the caller of an operation', () => {
  const allowed: Readonly<Record<OperationAccess, readonly string[]>> = {
    team: ['key', 'client', 'link'],
    link: ['key', 'client', 'link'],
    admin: ['admin'],
    any: ['key', 'client', 'link', 'admin'],
    open: ['anonymous'],
  };

  it.each(Object.keys(allowed) as OperationAccess[])('is never of another kind than %s lets in', (access) => {
    const passed = Object.keys(principals).filter((name) => {
      try {
        return callerOf(access, principals[name]!).teamId === principals[name]!.teamId;
      } catch {
        return false;
      }
    });
    expect(passed).toEqual(allowed[access]);
  });
});
