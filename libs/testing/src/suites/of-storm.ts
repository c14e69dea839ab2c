/** The extent of a storm: short in `npm test -- --full`, long in `npm run storm`, which sets `STORM=long`. */
export function ofStorm<T>(extent: { readonly short: T; readonly long: T }): T {
  return process.env['STORM'] === 'long' ? extent.long : extent.short;
}
