const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const whole = new Intl.NumberFormat('en');
const smallAmount = new Intl.NumberFormat('en', { maximumSignificantDigits: 2, maximumFractionDigits: 12 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `2 min. ago`, `in 3 hr.`, `now`. */
export function ago(moment: string, now: number): string {
  const distance = Date.parse(moment) - now;
  const unit = units.find(([, ms]) => Math.abs(distance) >= ms);
  return unit ? relative.format(Math.trunc(distance / unit[1]), unit[0]) : 'now';
}

/** `850 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return joined(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

export function count(value: number): string {
  return value < 100_000 ? whole.format(value) : compact.format(value);
}

/** `1 run`, `2 runs`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function bytes(size: number): string {
  if (size < 1_024) return `${size} B`;
  const names = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = size / 1_024;
  let index = 0;
  while (value >= 1_024 && index < names.length - 1) {
    value /= 1_024;
    index += 1;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${names[index]}`;
}

/** `12.50 EUR`, and of less than a cent as much as tells it: `0.0012 EUR`. */
export function money({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  const value = Number(amount);
  const text = value > 0 && value < 0.01 ? smallAmount.format(value) : value.toFixed(2);
  return `${text} ${currency}`;
}

/** `every_15_minutes` → `Every 15 minutes`. */
export function words(name: string): string {
  const text = name.replaceAll(/[_.]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Signed links of the service name its public address; the page may be open under another name of the same service, and
 * its policy lets it ask only there.
 */
export function ownPath(link: string): string {
  const { pathname, search } = new URL(link, 'http://service.invalid');
  return pathname + search;
}
