import { shortDay, type Bar } from './days';
import { count } from './format';

const maxLabels = 6;

/** Bars over days, in UTC. The same figures are in a table for those who cannot see them. */
export function BarChart({ title, bars, part }: { title: string; bars: readonly Bar[]; part?: string }) {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const labelEvery = Math.ceil(bars.length / maxLabels);
  const height = (value: number) => `${most === 0 ? 0 : (value / most) * 100}%`;
  return (
    <figure>
      <div className="chart" aria-hidden="true">
        <div className="chart-top">{most === 0 ? 'Nothing in these days' : count(most)}</div>
        <div className="chart-bars">
          {bars.map(({ label, value, part: share = 0 }) => (
            <div
              key={label}
              className="chart-day"
              title={`${shortDay(label)}: ${count(value)}${part ? `, ${count(share)} ${part}` : ''}`}
            >
              <span className={value > 0 ? 'bar some' : 'bar'} style={{ height: height(value) }} />
              {share > 0 && <span className="bar some second" style={{ height: height(share) }} />}
            </div>
          ))}
        </div>
        <div className="chart-days">
          {bars.map(
            ({ label }, index) =>
              index % labelEvery === 0 && (
                <span key={label} style={{ gridColumn: `${index + 1} / span ${labelEvery}` }}>
                  {shortDay(label)}
                </span>
              ),
          )}
        </div>
      </div>
      <table className="unseen">
        <caption>{title}, by days of UTC</caption>
        <tbody>
          {bars
            .filter(({ value }) => value > 0)
            .map(({ label, value, part: share }) => (
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
