import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface DnsRecords {
  /** Dotted; none at all means silence. */
  readonly a?: readonly string[];
  /** 32 hex digits. */
  readonly aaaa?: readonly string[];
}

export interface DnsServer {
  readonly address: string;
  close(): Promise<void>;
}

const typeA = 1;
const typeAaaa = 28;

/** A DNS server that has the same answer for every name. */
export async function dnsServer({ a, aaaa }: DnsRecords): Promise<DnsServer> {
  const answers = new Map([
    [typeA, a?.map((ip) => Buffer.from(ip.split('.').map(Number)))],
    [typeAaaa, aaaa?.map((ip) => Buffer.from(ip, 'hex'))],
  ]);
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    const records = answers.get(type);
    if (records) socket.send(reply(query.subarray(0, end), type, records), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** Header and question as asked, then the records, each pointing at the name in the question. */
function reply(question: Buffer, type: number, records: readonly Buffer[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  const body = records.map((data) => {
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...body]);
}
