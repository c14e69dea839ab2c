import fc from 'fast-check';
import { isForbiddenAddress, parseAllowedRanges } from './address-rules.js';
import { checkUrl } from './url-rules.js';

const none = parseAllowedRanges('');
const urlAccepts = (host: string): boolean => checkUrl(`http://${host}/`, { allowed: none }).ok;

/** The registries of IANA and what was withdrawn from them, written down apart from the rules. */
const specialIPv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
  ],
  ...['192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['255.255.255.255/32', '168.63.129.16/32'],
];
const specialIPv6: readonly (readonly [network: bigint, bits: number])[] = [
  [0n, 128], // unspecified
  [1n, 128], // loopback
  [0n, 96], // compatible
  [0xffffn << 32n, 96], // mapped
  [0xffff_0000n << 32n, 96], // translated
  [0x64_ff9b_0001n << 80n, 48], // local NAT64
  [0x100n << 112n, 64], // discard
  [(0x100n << 112n) | (1n << 64n), 64], // dummy
  [0x2001n << 112n, 23], // protocol assignments, with all that follow
  [0x2001_0000n << 96n, 32], // Teredo
  [0x2001_0002n << 96n, 48], // benchmarks
  [0x2001_0010n << 96n, 28], // ORCHID
  [0x2001_0020n << 96n, 28], // ORCHIDv2
  [0x2001_0030n << 96n, 28], // drone ids
  [0x2001_0db8n << 96n, 32], // documentation
  [0x2002n << 112n, 16], // 6to4
  [0x2620_004f_8000n << 80n, 48], // AS112
  [0x3fffn << 112n, 20], // documentation
  [0x4000n << 112n, 2], // nobody's
  [0x5f00n << 112n, 16], // SRv6
  [0xfc00n << 112n, 7], // unique local
  [0xfe80n << 112n, 10], // link-local
  [0xfec0n << 112n, 10], // site-local
  [0xff00n << 112n, 8], // multicast
];

function rangeOf(cidr: string): { first: number; last: number } {
  const [network = '', bits] = cidr.split('/');
  const first = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return { first, last: first + 2 ** (32 - Number(bits)) - 1 };
}

const octets = (ip: number): number[] => [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255);
const dotted = (ip: number): string => octets(ip).join('.');
const hex = (value: number | bigint, digits = 0): string => value.toString(16).padStart(digits, '0');
const groups = (ip: bigint): string[] =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => hex((ip >> shift) & 0xffffn));

const insideIPv4 = fc
  .constantFrom(...specialIPv4.map(rangeOf))
  .chain(({ first, last }) => fc.oneof(fc.constantFrom(first, last), fc.integer({ min: first, max: last })));
const insideIPv6 = fc
  .constantFrom(...specialIPv6)
  .chain(([network, bits]) => fc.bigInt(0n, (1n << BigInt(128 - bits)) - 1n).map((host) => network | host));

const maxIPv4 = 2 ** 32 - 1;
const isOrdinary = (ip: number): boolean =>
  !specialIPv4.map(rangeOf).some(({ first, last }) => ip >= first && ip <= last);

/** How a URL can say the same IPv4 address. */
function spellingsOfIPv4(ip: number): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = octets(ip);
  const octal = (part: number): string => `0${part.toString(8)}`;
  return [
    dotted(ip),
    `${dotted(ip)}.`,
    String(ip),
    `0x${hex(ip)}`,
    `0X${hex(ip, 8).toUpperCase()}`,
    octal(ip),
    octets(ip).map(octal).join('.'),
    octets(ip)
      .map((part) => `0x${hex(part, 4)}`)
      .join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${octal(a)}.0x${hex(b)}.${c}.${octal(d)}`,
    dotted(ip).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted(ip).replaceAll('.', '。'),
    dotted(ip).replace(/\d/g, (digit) => `%3${digit}`),
  ];
}

/** IPv6 addresses that lead to an IPv4 address, or did at some time. */
function carriersOfIPv4(ip: number): string[] {
  const tail = `${hex(ip >>> 16)}:${hex(ip & 0xffff)}`;
  const flipped = `${hex((ip >>> 16) ^ 0xffff)}:${hex((ip & 0xffff) ^ 0xffff)}`;
  const prefixes = [
    '::',
    '::ffff:',
    '::ffff:0:',
    '64:ff9b::',
    '64:ff9b:1::',
    '2001:470::5efe:',
    '2a00::200:5efe:',
  ];
  return [
    ...prefixes.flatMap((prefix) => [`${prefix}${tail}`, `${prefix}${dotted(ip)}`]),
    `2002:${tail}::1`,
    `2001:0:${tail}::`,
    `2001:0:4136:e378:8000:63bf:${flipped}`,
  ];
}

describe('isForbiddenAddress', () => {
  it('refuses every special IPv4 address, however a URL spells it', () => {
    fc.assert(
      fc.property(insideIPv4, (ip) => {
        expect(isForbiddenAddress(dotted(ip), none)).toBe(true);
        expect(spellingsOfIPv4(ip).filter(urlAccepts)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses every special IPv4 address within an IPv6 address', () => {
    fc.assert(
      fc.property(insideIPv4, (ip) => {
        const carriers = carriersOfIPv4(ip);
        expect(carriers.filter((address) => !isForbiddenAddress(address, none))).toEqual([]);
        expect(carriers.filter((address) => urlAccepts(`[${address}]`))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses every special IPv6 address in every spelling', () => {
    fc.assert(
      fc.property(insideIPv6, (ip) => {
        const parts = groups(ip);
        const long = parts.map((part) => part.padStart(4, '0')).join(':');
        const withDots = `${parts.slice(0, 6).join(':')}:${dotted(Number(ip & 0xffff_ffffn))}`;
        const spellings = [parts.join(':'), long, long.toUpperCase(), withDots];
        expect(spellings.filter((address) => !isForbiddenAddress(address, none))).toEqual([]);
        expect(spellings.filter((address) => urlAccepts(`[${address}]`))).toEqual([]);
        expect(isForbiddenAddress(`${long}%eth0`, none)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('accepts every other IPv4 address, also behind NAT64', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxIPv4 }).filter(isOrdinary), (ip) => {
        expect(isForbiddenAddress(dotted(ip), none)).toBe(false);
        expect(isForbiddenAddress(`64:ff9b::${dotted(ip)}`, none)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it.each(specialIPv4)('draws the line of %s exactly', (cidr) => {
    const { first, last } = rangeOf(cidr);
    for (const ip of [first - 1, first, last, last + 1].filter((edge) => edge >= 0 && edge <= maxIPv4)) {
      expect([dotted(ip), isForbiddenAddress(dotted(ip), none)]).toEqual([dotted(ip), !isOrdinary(ip)]);
    }
  });

  it.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2001:200::1', '2a00:1450:4001::200e', '2003::1'])(
    'accepts %s',
    (address) => {
      expect(isForbiddenAddress(address, none)).toBe(false);
    },
  );

  it.each([
    '',
    'example.com',
    '1.1.1',
    '01.1.1.1',
    '0x1.1.1.1',
    '1.1.1.1/32',
    ' 1.1.1.1',
    '[::1]',
    '1::2::3',
    '::g',
  ])('takes %j for no address, which is refused', (text) => {
    expect(isForbiddenAddress(text, parseAllowedRanges('0.0.0.0/0,::/0'))).toBe(true);
  });

  it('opens what an allowed range covers, and judges what an IPv6 address carries', () => {
    const allowed = parseAllowedRanges('10.0.0.0/8,fd00::/8');
    expect(isForbiddenAddress('10.255.0.1', allowed)).toBe(false);
    expect(isForbiddenAddress('fd12::1', allowed)).toBe(false);
    expect(isForbiddenAddress('64:ff9b::10.0.0.1', allowed)).toBe(false);
    expect(isForbiddenAddress('64:ff9b::11.0.0.1', allowed)).toBe(false);
    expect(isForbiddenAddress('64:ff9b::127.0.0.1', allowed)).toBe(true);
    expect(isForbiddenAddress('11.0.0.1', allowed)).toBe(false);
    expect(isForbiddenAddress('127.0.0.1', allowed)).toBe(true);
    expect(isForbiddenAddress('fc12::1', allowed)).toBe(true);
    expect(isForbiddenAddress('::ffff:10.0.0.1', allowed)).toBe(true);
  });
});

describe('parseAllowedRanges', () => {
  it('reads none, one and many', () => {
    expect(parseAllowedRanges('')).toHaveLength(0);
    expect(parseAllowedRanges(' , ')).toHaveLength(0);
    expect(parseAllowedRanges('127.0.0.1/32')).toHaveLength(1);
    expect(parseAllowedRanges(' 10.0.0.0/8 ,fd00::/8,')).toHaveLength(2);
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0/8',
    '010.0.0.0/8',
    '0x0a.0.0.0/8',
    '::/129',
    'all',
    '/8',
  ])('names %j as no range', (text) => {
    expect(() => parseAllowedRanges(`127.0.0.0/8,${text}`)).toThrow(`"${text}" is not an address range`);
  });
});
