type QueryValue = string | number | boolean;

/**
 * The address of a path below the base of a provider's API, or a whole address as it is; undefined if it is none, or if
 * the path leaves its base. Whose host a whole address has is for the caller to judge.
 */
export function nativeUrl(
  base: string,
  path: string,
  query: Readonly<Record<string, QueryValue | readonly QueryValue[]>> = {},
): URL | undefined {
  const isWhole = /^https?:\/\//i.test(path);
  const folder = `${base.replace(/\/+$/, '')}/`;
  const text = isWhole ? path : `${folder}${path.replace(/^\/+/, '')}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!isWhole && !isBelow(new URL(folder), url)) return undefined;
  url.hash = '';
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) url.searchParams.append(name, String(value));
  }
  return url;
}

/** Dots, in whatever spelling, are gone from the path of a parsed address. */
function isBelow(folder: URL, url: URL): boolean {
  return url.origin === folder.origin && url.pathname.startsWith(folder.pathname);
}
