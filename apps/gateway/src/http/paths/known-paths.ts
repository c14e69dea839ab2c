import type { FastifyInstance, HTTPMethods } from 'fastify';
import { isOwnPath } from './public-path.js';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Every path that is served, with its methods. A path that answers GET answers HEAD too. */
export class KnownPaths {
  private readonly paths = new Map<string, KnownPath>();

  /** Called before the first route is registered: hooks do not see earlier routes. */
  observe(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      route.method = withHead([route.method].flat());
      this.add(route.url, route.method);
    });
  }

  /** The methods that a path answers, OPTIONS included; none for a path that is not served. */
  methodsOf(path: string): readonly string[] {
    const decoded = decode(path);
    const methods = new Set<string>();
    for (const known of this.paths.values()) {
      if (known.pattern.test(decoded)) for (const method of known.methods) methods.add(method);
    }
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort((one, other) => order.indexOf(one) - order.indexOf(other));
  }

  private add(route: string, methods: readonly string[]): void {
    if (!isOwnPath(route)) throw new Error(`${route}: its first segment is not among ownSegments`);
    const known = this.paths.get(route) ?? { pattern: patternOf(route), methods: new Set() };
    for (const method of methods) known.methods.add(method);
    this.paths.set(route, known);
  }
}

function withHead(methods: HTTPMethods[]): HTTPMethods[] {
  return methods.includes('GET') && !methods.includes('HEAD') ? [...methods, 'HEAD'] : methods;
}

/** Matches what the router matches: a parameter is one segment, which may be empty; a wildcard is the rest. */
function patternOf(route: string): RegExp {
  const source = route
    .split('/')
    .map((segment) => {
      if (segment === '*') return '.*';
      return segment.startsWith(':') ? '[^/]*' : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join('/');
  return new RegExp(`^${source}$`, 's');
}

/** The router decodes a path before it looks for it. */
function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
