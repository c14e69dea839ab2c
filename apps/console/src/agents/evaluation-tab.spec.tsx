import { renderToStaticMarkup } from 'react-dom/server';
import { Issues } from './evaluation-tab';

describe('the issues of the runs of an agent', () => {
  it('are told as runs that did not meet a rubric, whose name alone would say the opposite', () => {
    const html = renderToStaticMarkup(
      <Issues flags={[{ flag: 'no_tool_errors', label: 'No tool errors', count: 1 }]} />,
    );
    expect(html).toContain('Rubrics that runs did not meet');
    expect(html).toContain('<span>No tool errors</span><span class="quiet">not met by 1 run</span>');
  });
});
