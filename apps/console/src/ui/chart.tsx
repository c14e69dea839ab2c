import { count } from './format';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** A part of the value, in another color. */
  readonly part?: number;
}

const height = 120;
const foot = 18;
const slot = 22;

/** Bars over days. The same figures are in a table for those who cannot see them. */
export function BarChart({ title, bars, part }: { title: string; bars: readonly Bar[]; part?: string }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const width = Math.max(bars.length * slot, 260);
  const scale = (value: number) => (value / most) * (height - 14);
  const labelEvery = Math.ceil(bars.length / 8);
  return (
    <figure>
      <svg className="chart" viewBox={`0 0 ${width} ${height + foot}`} role="img" aria-label={title}>
        <line className="axis" x1="0" x2={width} y1={height} y2={height} />
        <text x="0" y="10">
          {count(most)}
        </text>
        {bars.map(({ label, value, part: share = 0 }, index) => {
          const x = index * slot + 4;
          return (
            <g key={label}>
              <title>{`${label}: ${count(value)}${part ? `, ${count(share)} ${part}` : ''}`}</title>
              <rect
                className="bar"
                x={x}
                width={slot - 8}
                y={height - scale(value)}
                height={scale(value)}
                rx="2"
              />
              {share > 0 && (
                <rect
                  className="bar second"
                  x={x}
                  width={slot - 8}
                  y={height - scale(share)}
                  height={scale(share)}
                  rx="2"
                />
              )}
              {index % labelEvery === 0 && (
                <text x={x} y={height + 14}>
                  {label.slice(5)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <table className="unseen">
        <caption>{title}</caption>
        <tbody>
          {bars.map(({ label, value, part: share }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{value}</td>
              {part && <td>{`${share ?? 0} ${part}`}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

export function Meter({ used, most, label }: { used: number; most: number; label: string }) {
  const share = most === 0 ? 1 : Math.min(1, used / most);
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : '';
  return (
    <div
      className={`meter ${tone}`}
      role="meter"
      aria-label={label}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${share * 100}%` }} />
    </div>
  );
}
