import type { GrantedScope } from '@aos/client';

const everything: GrantedScope = '*';

/** Whether a credential with these scopes may do what needs the one. */
export function mayUse(granted: readonly GrantedScope[], needed: GrantedScope): boolean {
  return granted.includes(everything) || granted.includes(needed);
}
