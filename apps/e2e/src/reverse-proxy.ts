import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { selfSigned, type Certificate } from '@aos/testing';

/** What is built of the client, as a web page takes it. */
const clientFolder = fileURLToPath(new URL('../../../libs/client/dist/', import.meta.url));
const wellKnown = '/.well-known/';

export interface ReverseProxy {
  readonly port: number;
  readonly certificate: Certificate;
  /** What was asked for beside the product, though the product was named. */
  readonly strays: string[];
  /** Where the product listens. */
  target: string;
  /** Whether the path is taken off before a request is passed on. */
  takesPathOff: boolean;
  close(): Promise<void>;
}

/**
 * A proxy with TLS that has the product below a path, under every name but those of `pages`: these are other sites, on
 * each of which is an empty page and the client.
 */
export async function startReverseProxy(path: string, pages: readonly string[]): Promise<ReverseProxy> {
  const certificate = selfSigned('localhost');
  const server = createServer(certificate, (request, response) => {
    const name = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (pages.includes(name)) return void showPage(request, response);
    const { url = '/' } = request;
    const isBelow = url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);
    // A browser asks for it by itself.
    if (!isBelow && !url.startsWith(wellKnown)) {
      if (url !== '/favicon.ico') proxy.strays.push(url);
      return void response.writeHead(404).end();
    }
    const rest = url.slice(path.length);
    const shortened = rest.startsWith('/') ? rest : `/${rest}`;
    passOn(request, response, proxy.target + (isBelow && proxy.takesPathOff ? shortened : url));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: ReverseProxy = {
    port: (server.address() as AddressInfo).port,
    certificate,
    strays: [],
    target: '',
    takesPathOff: false,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** As nginx does with `proxy_set_header Host $host` and without buffers. */
function passOn(request: IncomingMessage, response: ServerResponse, url: string): void {
  const { method, headers } = request;
  const forwarded = { 'x-forwarded-for': request.socket.remoteAddress, 'x-forwarded-proto': 'https' };
  const onward = httpRequest(url, { method, headers: { ...headers, ...forwarded } }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

async function showPage({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, file] = /^\/client\/([\w./-]+\.js)$/.exec(url) ?? [];
  if (file === undefined) {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Another site</title>');
    return;
  }
  const text = await readFile(join(clientFolder, normalize(`/${file}`)));
  response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);
}
