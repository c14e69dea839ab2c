/** The one-time code in a fragment `#code=…`; nothing of it reaches the server with the request for the page. */
export function codeIn(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('code') ?? undefined;
}
