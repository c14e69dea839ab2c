import { generateKeyPairSync, sign } from 'node:crypto';

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content)]), content]);
};
/** In as few bytes as it takes: browsers read nothing else. */
const lengthOf = ({ length }: Uint8Array): number[] => {
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts);
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'));
/** Two digits of the year before 2050, four behind it (RFC 5280, 4.1.2.5). */
const time = (text: string): Buffer => tlv(text.length === 13 ? 0x17 : 0x18, Buffer.from(text));

export interface Certificate {
  /** Both in PEM. */
  readonly key: string;
  readonly cert: string;
}

/** A certificate that nobody vouches for, made anew so that no key lies in the repository. */
export function selfSigned(name: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const commonName = sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(name)))));
  const subjectAltName = sequence(oid('551d11'), tlv(0x04, sequence(tlv(0x82, Buffer.from(name)))));
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    commonName,
    sequence(time('200101000000Z'), time('21200101000000Z')),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(subjectAltName)),
  );
  const signature = sign('sha256', body, privateKey);
  const der = sequence(body, ecdsaWithSha256, tlv(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}
