/** The path of a request target, without query and fragment. */
export function pathOf(url: string): string {
  return /^[^?#]*/.exec(url)![0];
}
