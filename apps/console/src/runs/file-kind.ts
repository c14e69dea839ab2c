/** How a file is shown. What could hold a script (HTML, SVG, PDF) is shown as its text, or saved. */
export type FileKind = 'picture' | 'markdown' | 'text' | 'none';

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export function kindOf(type: string, encoding: 'utf-8' | 'base64', path: string): FileKind {
  const plain = type.split(';')[0]!.trim().toLowerCase();
  if (pictures.includes(plain)) return 'picture';
  if (encoding !== 'utf-8') return 'none';
  return /\.(md|markdown)$/i.test(path) ? 'markdown' : 'text';
}
