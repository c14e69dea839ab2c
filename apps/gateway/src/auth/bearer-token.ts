/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/=-]{1,8192}) *$/i.exec(header ?? '')?.[1];
}
