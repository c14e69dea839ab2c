/** The id of the key that sealed a value: its second part. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}
