const maxLength = 512;

/** A relative path with no way out of its folder, or undefined. `notes/./a.md` is `notes/a.md`. */
export function normalizeMemoryPath(text: string): string | undefined {
  if (text.length > maxLength || text.startsWith('/') || /[\u0000-\u001f\u007f\\]/.test(text))
    return undefined;
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..') || text.endsWith('/')) return undefined;
  return parts.join('/');
}
