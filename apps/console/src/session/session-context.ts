import type { Client, GrantedScope } from '@aos/client';
import { createContext, useContext } from 'react';
import { mayUse } from './may-use';
import type { Session } from './session';

interface SessionHolder extends Session {
  readonly signOut: () => void;
}

export const SessionContext = createContext<SessionHolder | undefined>(undefined);

export function useSession(): SessionHolder {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session outside of SessionGate');
  return session;
}

export function useClient(): Client {
  return useSession().client;
}

/** Tells what whoever is signed in may do: what they may not is not offered. */
export function useMay(): (scope: GrantedScope) => boolean {
  const { scopes } = useSession();
  return (scope) => mayUse(scopes, scope);
}
