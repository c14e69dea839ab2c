import { createContext, useContext } from 'react';

/**
 * `connecting`: not yet there · `live`: told of all that happens · `polling`: asks by the clock, for those who may not
 * follow the events · `away`: the service does not answer · `refused`: it answers, but not with the events; `refusal`
 * says why.
 */
export type Live =
  | { readonly state: 'connecting' | 'live' | 'polling' | 'away' }
  | { readonly state: 'refused'; readonly refusal: unknown };

export const connecting: Live = { state: 'connecting' };

export const LiveContext = createContext<Live>(connecting);

export function useLive(): Live {
  return useContext(LiveContext);
}
