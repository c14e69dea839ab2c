/** How much of a storm: a little in `npm test`, all of it in `npm run storm`, which sets `STORM=long`. */
export function ofStorm<T>(extent: { readonly short: T; readonly long: T }): T {
  return process.env['STORM'] === 'long' ? extent.long : extent.short;
}
