/** A parameter of this name at the end of a path may contain slashes. */
const slashed = 'path';
const wildcard = '*';

/** `/v2/agents/{agent_id}/memory/files/{path}` as the router spells it. */
export function routePattern(path: string): string {
  return path.replace(new RegExp(`\\{${slashed}\\}$`), wildcard).replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The parameters under the names that the contract gives them. */
export function routeParams(params: Readonly<Record<string, string>>): Record<string, string> {
  const { [wildcard]: rest, ...named } = params;
  return rest === undefined ? named : { ...named, [slashed]: rest };
}
