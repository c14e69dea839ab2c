import { createContext, useContext } from 'react';

/** `connecting`: not yet there · `live`: told of all that happens · `away`: the service does not answer. */
export type LiveState = 'connecting' | 'live' | 'away' | 'refused';

export const LiveContext = createContext<LiveState>('connecting');

export function useLive(): LiveState {
  return useContext(LiveContext);
}
