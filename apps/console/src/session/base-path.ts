/** The path below which the whole service lies, such as `/agents`: empty where it has its host for itself. */
export const basePath = basePathOf(import.meta.url);

/** Found by the address of a script of the console, whose own place below that path is known. */
export function basePathOf(scriptUrl: string): string {
  const { protocol, pathname } = new URL(scriptUrl);
  return protocol.startsWith('http') ? pathname.slice(0, pathname.lastIndexOf('/console/')) : '';
}
