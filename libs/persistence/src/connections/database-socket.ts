import { Socket } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { databaseAddress, type DatabaseAddress } from './database-url.js';
import { WritableHost } from './writable-host.js';

/** Passed by pg to the function that makes a socket. */
interface SocketUse {
  readonly ssl?: boolean | ConnectionOptions;
}

/** The options by which a client of pg reaches a database: an address with one host, and sockets. */
export interface DatabaseWay {
  readonly connectionString: string;
  readonly stream: (use?: SocketUse) => Socket;
}

/**
 * The way to a database. Each socket goes to the host that takes writes at that moment, where the address names several.
 */
export function wayTo(url: string): DatabaseWay {
  const address = databaseAddress(url);
  const [first] = address.hosts;
  const host = address.hosts.length > 1 ? new WritableHost(address) : undefined;
  return {
    connectionString: address.urlOf(first!),
    stream: (use) => {
      const socket = host ? new FailoverSocket(host) : new Socket();
      if (host) acceptAnyOf(address, use);
      return socket;
    },
  };
}

/** Connects to the host that takes writes, whatever address pg gives. */
class FailoverSocket extends Socket {
  constructor(private readonly host: WritableHost) {
    super();
  }

  override connect(): this {
    this.host.find().then(
      (found) => {
        if (this.destroyed) return;
        const forget = () => this.host.forget(found);
        this.once('error', forget).once('end', forget);
        super.connect(found.port, found.host);
      },
      (error: Error) => this.destroy(error),
    );
    return this;
  }
}

/** pg compares a certificate with the name of the first host; the one that answers may be another of them. */
function acceptAnyOf({ hosts }: DatabaseAddress, use: SocketUse | undefined): void {
  if (typeof use?.ssl !== 'object') return;
  use.ssl.checkServerIdentity = (asked, certificate) => {
    const isOfOne = hosts.some(({ host }) => checkServerIdentity(host, certificate) === undefined);
    return isOfOne ? undefined : checkServerIdentity(asked, certificate);
  };
}
