import type { Run } from '@aos/client';
import { renderToStaticMarkup } from 'react-dom/server';
import { playgroundMark } from './playground';
import { RunTags } from './run-tags';

const shown = (part: Partial<Run>) =>
  renderToStaticMarkup(
    <RunTags run={{ metadata: {}, status: 'completed', eval_summary: null, ...part } as Run} />,
  );

describe('the tags of a run', () => {
  const judged = { passed: 1, total: 2, has_issues: true };

  it('tell of issues, though not of those of a run that failed anyway', () => {
    expect(shown({ eval_summary: judged })).toContain('issues');
    expect(shown({ eval_summary: judged, status: 'failed' })).toBe('');
    expect(shown({ eval_summary: { ...judged, has_issues: false } })).toBe('');
  });

  it('tell that a revision was tried', () => {
    expect(shown({ metadata: { ...playgroundMark } })).toContain('playground');
  });
});
