import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type AddressRange = readonly [network: Address, prefixBits: number];

/** Address ranges that are open although the rules below refuse them. */
export type AllowedRanges = readonly AddressRange[];

// https://www.iana.org/assignments/iana-ipv4-special-registry
const forbiddenIPv4 = ranges(
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; Alibaba's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // not IANA's: inside Azure a public address that is the platform itself
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments; Oracle's metadata
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
);

/** All that IANA gave out for hosts. Loopback, mapped, ULA, link- and site-local, SRv6 and the like lie outside. */
const globalUnicast = ranges('2000::/3');

/** With DNS64 every IPv4 host of the outside has such an address: the inner one decides. */
const nat64 = ranges('64:ff9b::/96');

// https://www.iana.org/assignments/iana-ipv6-special-registry, those within 2000::/3
const forbiddenIPv6 = ranges(
  '2001::/23', // IETF protocol assignments: Teredo, benchmarks, ORCHID, drone ids, AMT, AS112
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
);

/** True for every address that is not a host of the public internet, and for texts that are no address. */
export function isForbiddenAddress(ip: string, allowed: AllowedRanges): boolean {
  if (isIP(ip) === 0 || !ipaddr.isValid(ip)) return true;
  const address = ipaddr.parse(ip);
  if (covers(allowed, address)) return false;
  if (address instanceof ipaddr.IPv4) return covers(forbiddenIPv4, address);
  if (covers(nat64, address)) return isForbiddenAddress(lastFourBytes(address), allowed);
  return !covers(globalUnicast, address) || covers(forbiddenIPv6, address) || isIsatap(address);
}

/** Reads `EGRESS_ALLOW_CIDRS`, a comma list of CIDRs; throws an error that names a bad one. */
export function parseAllowedRanges(text: string): AllowedRanges {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map(parseRange);
}

function parseRange(text: string): AddressRange {
  // ipaddr.js takes octal and hex parts too, which others read as other addresses.
  const address = /^(.+)\/\d{1,3}$/.exec(text)?.[1] ?? '';
  if (isIP(address) === 0 || !ipaddr.isValidCIDR(text)) {
    throw new Error(`"${text}" is not an address range such as 10.0.0.0/8 or fd00::/8`);
  }
  return ipaddr.parseCIDR(text);
}

function ranges(...texts: readonly string[]): readonly AddressRange[] {
  return texts.map(parseRange);
}

function covers(list: readonly AddressRange[], address: Address): boolean {
  return list.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function lastFourBytes(address: ipaddr.IPv6): string {
  return address.toByteArray().slice(-4).join('.');
}

/** A tunnel within a site (RFC 5214): any prefix, then 0:5efe or 200:5efe, then an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & 0xfcff) === 0 && parts[5] === 0x5efe;
}
