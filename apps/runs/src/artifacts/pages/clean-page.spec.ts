import { cleanPage } from './clean-page.js';

const body = (html: string) => cleanPage(html).body;

describe('a page that a model has written', () => {
  it('keeps its text, tables, drawings, styles and title', () => {
    const page = cleanPage(`<!doctype html><html lang="en"><head><title> Our  runs </title>
      <style>td { color: red } .a > .b { top: 0 }</style></head>
      <body class="dark" onload="go()"><h1 id="top">Runs &amp; more</h1><table><tr><td colspan="2">1</td></tr></table>
      <svg viewBox="0 0 10 10" width="10"><linearGradient id="g"><stop offset="0"/></linearGradient>
      <rect x="1" fill="url(#g)"/><text text-anchor="end">12</text><title>A bar</title></svg>
      <details open><summary>More</summary>text</details><a href="#top">up</a>
      <img src="data:image/png;base64,AAAA" alt="x"></body></html>`);
    expect(page.title).toBe('Our runs');
    for (const kept of [
      '<style>td { color: red } .a > .b { top: 0 }</style>',
      '<div class="dark"><h1 id="top">Runs &#38; more</h1>',
      '<table><tr><td colspan="2">1</td></tr></table>',
      '<svg viewbox="0 0 10 10" width="10"><lineargradient id="g"><stop offset="0"></stop></lineargradient>',
      '<rect x="1" fill="url(#g)"></rect><text text-anchor="end">12</text>',
      '<details open=""><summary>More</summary>text</details><a href="#top">up</a>',
      '<img src="data:image/png;base64,AAAA" alt="x"></div>',
    ]) {
      expect(page.body).toContain(kept);
    }
    expect(page.body).not.toContain('onload');
  });

  /** Each is hostile in its own way; of none may anything be left that a browser would act upon. */
  const hostile = [
    '<script>alert(1)</script>',
    '<script src="https://elsewhere.example/x.js"></script>',
    '<SCRIPT/XSS SRC="https://elsewhere.example/x.js"></SCRIPT>',
    '<script><!--<script></script>--></script>',
    '<svg><script href="https://elsewhere.example/x.js"/></svg>',
    '<svg onload=alert(1)>',
    '<img src=x onerror=alert(1)>',
    '<img src="https://elsewhere.example/pixel.png">',
    '<img srcset="https://elsewhere.example/pixel.png 2x" src="data:text/html,x">',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<object data="https://elsewhere.example/"></object><embed src="https://elsewhere.example/">',
    '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">',
    '<base href="https://elsewhere.example/">',
    '<link rel="dns-prefetch" href="//elsewhere.example"><link rel=preconnect href="//elsewhere.example">',
    '<link rel="stylesheet" href="https://elsewhere.example/x.css">',
    '<form action="https://elsewhere.example/"><button formaction="https://elsewhere.example/">Go</button></form>',
    '<a href="https://elsewhere.example/">out</a><a href="javascript:alert(1)">run</a><a href=" #x" ping="//x">p</a>',
    '<svg><a xlink:href="https://elsewhere.example/"><text>out</text></a></svg>',
    '<svg><use href="https://elsewhere.example/x.svg#a"/><image href="https://elsewhere.example/x.png"/></svg>',
    '<svg><animate attributeName="href" to="javascript:alert(1)"/><set attributeName="onclick" to="x"/></svg>',
    '<svg><rect fill="url(https://elsewhere.example/a.svg#b)"/><rect mask=\'url( "https://elsewhere.example")\'/></svg>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<svg></p><style><a id="</style><img src=x onerror=alert(1)>">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<svg><foreignObject><iframe src="https://elsewhere.example/"></iframe></foreignObject></svg>',
    '<template><script>alert(1)</script></template>',
    '<style></style><script>alert(1)</script>',
    '<style>a{}<!--</style><img src=x onerror=alert(1)>--></style>',
    '<textarea><img src=x onerror=alert(1)></textarea><xmp><script>alert(1)</script></xmp>',
    '<plaintext><script>alert(1)</script>',
    '<video src="https://elsewhere.example/v"><source src="https://elsewhere.example/v"></video>',
    '<body background="https://elsewhere.example/x.png">',
    '<table background="https://elsewhere.example/x.png">',
    '<input type="image" src="https://elsewhere.example/x.png"><input type=file>',
    '<div style="background:red" onclick="alert(1)" onpointerenter=alert(1) autofocus>',
    '<![CDATA[<script>alert(1)</script>]]>',
    '<?xml-stylesheet href="https://elsewhere.example/x.css"?>',
    '<!-- <script>alert(1)</script> -->',
    '<img src="data:image/svg+xml;base64,AAAA" usemap="#m"><map name="m"><area href="//elsewhere.example"></map>',
    '<script type="speculationrules">{"prefetch":[{"urls":["https://elsewhere.example/"]}]}</script>',
  ];

  const actsUpon =
    /<(script|iframe|object|embed|meta|base|link|form|button|image|animate|set|foreignobject|template|math|video|source|area|map|noscript|xmp|textarea|plaintext)\b|\son[a-z]+=|\s(srcset|ping|formaction|action|background|srcdoc|xlink:href|autofocus|usemap)=|\s(src|href)="(?!data:image\/|#)|"url\((?!#)|type="(image|file)"/i;

  it.each(hostile)('keeps nothing of %s', (html) => {
    expect(body(html)).not.toMatch(actsUpon);
  });

  it('is the same when it is cleaned again', () => {
    for (const html of [...hostile, '<p>a<p>b<table><td>c', '<svg><rect/></svg>&lt;b&gt; "quoted"']) {
      const once = body(html);
      expect(body(once)).toBe(once);
    }
  });

  it('escapes what looks like markup in text and values', () => {
    expect(body('&lt;script&gt;alert(1)&lt;/script&gt;')).toBe('&#60;script&#62;alert(1)&#60;/script&#62;');
    expect(body(`<p title='"><script>alert(1)</script>'>x`)).toBe(
      '<p title="&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;">x</p>',
    );
  });

  it('closes what is left open, in order, and ignores ends of nothing', () => {
    expect(body('<div><b>x</div></i>y')).toBe('<div><b>x</b></div>y');
    expect(body('<div/>x')).toBe('<div>x</div>');
  });

  it('goes no deeper than browsers do', () => {
    expect(body('<b>'.repeat(100_000)).match(/<b>/g)).toHaveLength(200);
  });

  it('reads a mebibyte that is hard for a tree in one pass', () => {
    const formatting = Array.from({ length: 20_000 }, (_, index) => `<b class="${index}">`).join('');
    expect(body(formatting + '<p>'.repeat(100_000))).toMatch(/^<b class="0">/);
    const attributes = Array.from({ length: 100_000 }, (_, index) => `a${index}`).join(' ');
    expect(body(`<p ${attributes}>x`)).toBe('<p>x</p>');
    const blanks = ' '.repeat(500_000);
    expect(body(`<svg><rect fill="url(${blanks}#a)"/></svg>`)).toContain('#a');
    expect(body(`<svg><rect fill="url(${blanks}'${blanks}x)"/></svg>`)).toBe('<svg><rect></rect></svg>');
  });

  it('may be empty', () => {
    expect(cleanPage('')).toEqual({ title: null, body: '' });
  });
});
