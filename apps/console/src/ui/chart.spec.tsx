import { renderToStaticMarkup } from 'react-dom/server';
import { BarChart } from './chart';
import { everyDay } from './days';

const shown = (bars: Parameters<typeof BarChart>[0]['bars']) =>
  renderToStaticMarkup(<BarChart title="Runs by day" bars={bars} />);

describe('a chart of days', () => {
  it('says that there is nothing, and claims no figure', () => {
    const html = shown(everyDay('2026-11-01', '2026-11-19', []));
    expect(html).toContain('Nothing in these days');
    expect(html).not.toMatch(/chart-top">\d/);
  });

  it('has a place for each day, and names a few of them', () => {
    const html = shown(everyDay('2026-11-01', '2026-11-30', [{ label: '2026-11-18', value: 7 }]));
    expect(html.match(/chart-day"/g)).toHaveLength(30);
    expect(html.match(/grid-column/g)).toHaveLength(6);
    expect(html).toContain('chart-top">7<');
    expect(html).toContain('18 Nov: 7');
  });

  it('has its figures for those who cannot see it', () => {
    const html = shown([
      { label: '2026-11-18', value: 7 },
      { label: '2026-11-19', value: 0 },
    ]);
    expect(html).toContain('<th scope="row">2026-11-18</th><td>7</td>');
    expect(html).not.toContain('<th scope="row">2026-11-19</th>');
  });
});
