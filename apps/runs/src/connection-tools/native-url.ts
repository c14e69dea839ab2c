type QueryValue = string | number | boolean;

/**
 * The address of a path below the base of a provider's API, or a whole address as it is; undefined if it is none.
 * Whose host it has is for the caller to judge: paths can be written so that they leave their base.
 */
export function nativeUrl(
  base: string,
  path: string,
  query: Readonly<Record<string, QueryValue | readonly QueryValue[]>> = {},
): URL | undefined {
  const isWhole = /^https?:\/\//i.test(path);
  const text = isWhole ? path : `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.hash = '';
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) url.searchParams.append(name, String(value));
  }
  return url;
}
