/** The cookie of a session at the address of the service. */
export class SessionCookie {
  readonly name: string;
  private readonly attributes: string;

  constructor(publicBaseUrl: string) {
    const { protocol, pathname, port } = new URL(publicBaseUrl);
    const isSecure = protocol === 'https:';
    const path = pathname.replace(/\/+$/, '') || '/';
    // Browsers keep a name with a prefix from being set by others: `__Host-` is for the whole host only.
    const prefix = isSecure ? (path === '/' ? '__Host-' : '__Secure-') : '';
    // Cookies know no ports: two installations on a machine must not sign each other out.
    this.name = `${prefix}aos_session${port === '' ? '' : `_${port}`}`;
    this.attributes = [`Path=${path}`, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join(
      '; ',
    );
  }

  /** The token in a `Cookie` header. */
  tokenIn(header: string | undefined): string | undefined {
    for (const pair of (header ?? '').split(';')) {
      const [name, value] = pair.split('=', 2);
      if (name!.trim() === this.name) return /^[\w-]{1,200}$/.exec(value?.trim() ?? '')?.[0];
    }
    return undefined;
  }

  /** A `Set-Cookie` header that keeps the token for so long. */
  keeping(token: string, seconds: number): string {
    return `${this.name}=${token}; ${this.attributes}; Max-Age=${seconds}`;
  }

  /** A `Set-Cookie` header that removes it. */
  get removing(): string {
    return this.keeping('', 0);
  }
}
