import { escapeHtml } from '../pages/clean-page.js';
import type { TeamFiguresShown } from '../team-figures/team-figures.js';

export interface PageNotes {
  readonly title: string;
  /** Requests, oldest first. */
  readonly asked: readonly string[];
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  readonly said: readonly string[];
  readonly results: readonly { readonly tool: string; readonly text: string }[];
}

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1c2430; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.tiles { display: flex; flex-wrap: wrap; gap: .75rem; } .tile { border: 1px solid #d5dbe3; border-radius: .5rem; padding: .6rem 1rem; }
.tile b { display: block; font-size: 1.5rem; } table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #e3e8ee; padding: .3rem .6rem; text-align: left; } td.n, th.n { text-align: right; }
svg { width: 100%; height: auto; } footer { margin-top: 2rem; color: #667; font-size: .85rem; } pre { white-space: pre-wrap; }`;

const statuses = ['pending', 'running', 'waiting', 'completed', 'failed', 'stopped'] as const;

/** A page of the team's figures: the same figures give the same page. Everything that people have named is escaped. */
export function figuresPage(figures: TeamFiguresShown, notes: PageNotes): string {
  const { runs_by_status: byStatus, evaluations, usage } = figures;
  return [
    `<title>${escapeHtml(notes.title)}</title><style>${style}</style>`,
    `<h1>${escapeHtml(notes.title)}</h1>`,
    ...notes.said.map((text) => `<p>${escapeHtml(text)}</p>`),
    '<h2>Runs</h2>',
    tiles(statuses.map((status) => [status, byStatus[status] ?? 0])),
    `<h2>Runs that ended, by day</h2>${chart(figures)}`,
    table(
      'Agents',
      ['Agent', 'Completed', 'Failed', 'Stopped'],
      figures.runs_by_agent.map(({ name, completed, failed, stopped }) => [name, completed, failed, stopped]),
    ),
    table(
      'Queues',
      ['Queue', 'Pending', 'Completed', 'Failed'],
      figures.queues.map(({ name, pending, completed, failed }) => [name, pending, completed, failed]),
    ),
    '<h2>Evaluations</h2>',
    tiles([
      ['evaluated', evaluations.evaluated],
      ['with issues', evaluations.with_issues],
    ]),
    ...(usage
      ? [
          '<h2>Usage of this month</h2>',
          tiles([
            ['input tokens', usage.model.input_tokens],
            ['output tokens', usage.model.output_tokens],
            ['tool calls', usage.tool_calls],
            ['active seconds', usage.active_seconds],
          ]),
        ]
      : []),
    ...notes.results.map(({ tool, text }) => `<h2>${escapeHtml(tool)}</h2><pre>${escapeHtml(text)}</pre>`),
    list(
      'Answers',
      notes.answers.map(({ question, answer }) => `${question} ${answer}`),
    ),
    list('What was asked for', notes.asked),
    `<footer>Made by the built-in scripted model from the figures of ${escapeHtml(figures.as_of)} (the last ${figures.days} days).</footer>`,
  ].join('\n');
}

function tiles(figures: readonly (readonly [name: string, figure: number])[]): string {
  const each = figures.map(([name, figure]) => `<div class="tile"><b>${figure}</b>${escapeHtml(name)}</div>`);
  return `<div class="tiles">${each.join('')}</div>`;
}

function table(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly [name: string, ...figures: number[]])[],
): string {
  if (rows.length === 0) return `<h2>${title}</h2><p>None yet.</p>`;
  const [first, ...others] = heads;
  const head = `<tr><th>${first}</th>${others.map((name) => `<th class="n">${name}</th>`).join('')}</tr>`;
  const body = rows.map(([name, ...figures]) => {
    return `<tr><td>${escapeHtml(name)}</td>${figures.map((figure) => `<td class="n">${figure}</td>`).join('')}</tr>`;
  });
  return `<h2>${title}</h2><table><thead>${head}</thead><tbody>${body.join('')}</tbody></table>`;
}

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<h2>${title}</h2><ol>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ol>`;
}

const chartWidth = 900;
const chartHeight = 220;
const baseline = 190;
const tallest = 160;
const colours = { completed: '#3a8f5f', failed: '#c2453d', stopped: '#9aa4b1' } as const;

/** Bars that stand on each other, one for each day; a screen reader is told the numbers by their titles. */
function chart({ runs_by_day: days }: TeamFiguresShown): string {
  const most = Math.max(1, ...days.map(({ completed, failed, stopped }) => completed + failed + stopped));
  const step = chartWidth / days.length;
  const bars = days.map((day, index) => {
    let top = baseline;
    const parts = (['completed', 'failed', 'stopped'] as const).map((status) => {
      const height = Math.round((day[status] / most) * tallest * 10) / 10;
      top -= height;
      return `<rect x="${rounded(index * step + 1)}" y="${rounded(top)}" width="${rounded(step - 2)}" height="${height}" fill="${colours[status]}"></rect>`;
    });
    const told = `${day.date}: ${day.completed} completed, ${day.failed} failed, ${day.stopped} stopped`;
    return `<g><title>${told}</title>${parts.join('')}</g>`;
  });
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
  return `<svg viewBox="0 0 ${chartWidth} ${chartHeight}" role="img" aria-label="Runs that ended, by day">
<line x1="0" y1="${baseline}" x2="${chartWidth}" y2="${baseline}" stroke="#667"></line>${bars.join('')}
<text x="0" y="${chartHeight - 8}" font-size="13">${first}</text>
<text x="${chartWidth}" y="${chartHeight - 8}" font-size="13" text-anchor="end">${last}</text>
<text x="0" y="14" font-size="13">${most}</text></svg>`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
