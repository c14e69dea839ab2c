import { createContext, useContext } from 'react';
import type { Client } from '@aos/client';
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
