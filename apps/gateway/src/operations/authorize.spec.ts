import { createTeam, getTeam, listTeams, type Operation, type Principal } from '@aos/contracts';
import { authorize } from './authorize.js';

const teamId = '01900000-0000-7000-8000-000000000001';
const otherId = '01900000-0000-7000-8000-000000000002';

const key: Principal = { kind: 'api_key', credentialId: 'k', teamId, scopes: ['*'] };
const narrow: Principal = { ...key, scopes: ['runs:read'] };
const admin: Principal = { kind: 'admin', credentialId: 'a', teamId: null, scopes: ['*'] };

function refusalOf(operation: Operation, principal: Principal, team?: string): string | undefined {
  try {
    authorize(operation, principal, team);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('authorize', () => {
  it('lets a credential into its own team, in any case of the id', () => {
    expect(refusalOf(getTeam, key, teamId)).toBeUndefined();
    expect(refusalOf(getTeam, key, teamId.toUpperCase())).toBeUndefined();
    expect(refusalOf(getTeam, { ...key, scopes: ['team:read'] }, teamId)).toBeUndefined();
  });

  it('asks for the scope before the team', () => {
    expect(refusalOf(getTeam, narrow, teamId)).toBe('insufficient_scope');
    expect(refusalOf(getTeam, narrow, otherId)).toBe('insufficient_scope');
    expect(() => authorize(getTeam, narrow, teamId)).toThrow(/team:read/);
  });

  it('keeps a credential out of every other team, with one message', () => {
    const messages = [otherId, '', 'nonsense'].map((team) => {
      try {
        return authorize(getTeam, key, team);
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(new Set(messages)).toEqual(new Set(['The credential does not belong to this team.']));
  });

  it('keeps teams out of what is the administrator’s, and the administrator out of teams', () => {
    expect(refusalOf(createTeam, key)).toBe('forbidden');
    expect(refusalOf(createTeam, admin)).toBeUndefined();
    expect(refusalOf(getTeam, admin, teamId)).toBe('forbidden');
    expect(refusalOf(listTeams, admin)).toBeUndefined();
    expect(refusalOf(listTeams, key)).toBeUndefined();
  });
});
