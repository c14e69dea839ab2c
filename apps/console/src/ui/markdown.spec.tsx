import { renderToStaticMarkup } from 'react-dom/server';
import { Markdown } from './markdown';

const shown = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

describe('what an agent has written', () => {
  it('is read as Markdown', () => {
    expect(shown('**Done**, see [the order](https://shop.test/1)')).toBe(
      '<div class="prose"><p><strong>Done</strong>, see ' +
        '<a href="https://shop.test/1" target="_blank" rel="noopener noreferrer nofollow">the order</a></p></div>',
    );
    expect(shown('# One')).toBe('<div class="prose"><h3>One</h3></div>');
    expect(shown('| a | b |\n|---|---|\n| 1 | 2 |')).toContain('<td>1</td>');
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    'text <b onmouseover=alert(1)>bold</b>',
    '<style>body{display:none}</style>',
    '<form action="https://evil.test"><input name=key></form>',
  ])('has no tags of its own: %s', (text) => {
    const html = shown(text);
    expect(html.replaceAll(/<\/?(div|p)( class="prose")?>/g, '')).not.toMatch(/[<]/);
    expect(html).toContain('&lt;');
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:msgbox)',
    '[x](blob:https://here.test/1)',
    '[x](file:///etc/passwd)',
    '[x](/console/keys)',
    '[x][y]\n\n[y]: javascript:alert(1)',
  ])('leads only where a link may lead: %s', (text) => {
    expect(shown(text)).not.toContain('href');
  });

  it('fetches no picture', () => {
    expect(shown('![hello](https://evil.test/pixel.png)')).toBe(
      '<div class="prose"><p><span class="tag">picture: hello</span></p></div>',
    );
    expect(shown('![x](data:image/svg+xml,<svg onload=alert(1)>)')).not.toContain('<img');
  });
});
