import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';

/** Names that a page may use. What is not here is left out: a list of what is bad would never be whole. */
function names(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}

const htmlElements = names(`
  a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup data dd del details dfn div dl dt
  em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li main mark menu meter
  nav ol output p pre progress q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th
  thead time tr u ul var wbr`);

const svgElements = names(`
  svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textpath desc lineargradient
  radialgradient stop clippath mask pattern marker`);

export const voidElements = names('br col hr img input wbr');

/** Elements whose content is no text of the page. */
export const droppedWithContent = names(`
  script iframe noembed noframes xmp noscript template object embed applet frame frameset textarea select math
  foreignobject audio video canvas map portal fencedframe`);

const globalAttributes = names(`
  class id style title lang dir role hidden tabindex align valign width height colspan rowspan scope headers span alt
  open start reversed value max min low high optimum datetime cite abbr type checked disabled name for xml:space`);

const svgAttributes = names(`
  viewbox preserveaspectratio x y x1 x2 y1 y2 cx cy r rx ry fx fy fr dx dy d points transform rotate pathlength
  textlength lengthadjust fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
  stroke-dasharray stroke-dashoffset stroke-miterlimit opacity color font-family font-size font-style font-weight
  text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift letter-spacing word-spacing
  writing-mode gradientunits gradienttransform spreadmethod offset stop-color stop-opacity clip-path clip-rule
  clippathunits mask maskunits maskcontentunits patternunits patterncontentunits patterntransform marker-start marker-mid
  marker-end markerwidth markerheight markerunits refx refy orient vector-effect shape-rendering text-rendering
  visibility display overflow`);

const inputTypes = names('checkbox radio');
const picture = /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;
const fragment = /^#[^\s]*$/;
/** A reference to something else than a part of the same page. Blanks are read in one way only, however many there are. */
const outsideReference = /url\(\s*(?:["']\s*)?(?!["'#\s])/i;

export function isAllowedElement(name: string): boolean {
  return htmlElements.has(name) || svgElements.has(name);
}

export function isSvgElement(name: string): boolean {
  return svgElements.has(name);
}

/** Whether an attribute may stay: nothing that runs, and no address but of the page itself and of what it holds. */
export function isAllowedAttribute(element: string, name: string, value: string): boolean {
  if (name === 'href') return (element === 'a' || element === 'use') && fragment.test(value);
  if (name === 'src') return element === 'img' && picture.test(value);
  if (name === 'type' && element === 'input') return inputTypes.has(value.toLowerCase());
  if (/^(aria|data)-[a-z0-9_.-]+$/.test(name) || globalAttributes.has(name)) return true;
  return svgAttributes.has(name) && !outsideReference.test(value);
}

/** A sanitized page. */
export interface CleanPage {
  /** The title element; null if there is none. */
  readonly title: string | null;
  /** The body with its styles. */
  readonly body: string;
}

/**
 * Writes a page anew with what it may hold: its tags are read as browsers read them, and each that is known is written
 * again, closed in order, its text and values escaped. Whatever a browser makes of the result, it is made of these
 * elements and attributes only. In one pass, so that no page takes longer than its length.
 */
export function cleanPage(html: string): CleanPage {
  const writer = new PageWriter();
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, writer);
  writer.tokenizer = tokenizer;
  tokenizer.write(html, true);
  return writer.end();
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Browsers go no deeper than 512. */
const deepest = 200;
const maxTitleLength = 200;

/** Elements whose content browsers read as text, up to their end tag. */
const rawText: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
};

/** Elements whose text is kept apart from the page. */
type Captured = 'title' | 'style';

class PageWriter implements TokenHandler {
  tokenizer!: Tokenizer;
  private readonly written: string[] = [];
  private readonly open: string[] = [];
  /** How many of those are drawings. */
  private drawings = 0;
  private title: string | null = null;
  private captured: Captured | undefined;
  private text = '';
  /** The element that is left out with what it holds, and how often it was opened within itself. */
  private dropped: { readonly name: string; depth: number } | undefined;

  onStartTag(tag: Token.TagToken): void {
    const { tagName: name } = tag;
    const mode = rawText[name];
    // In a drawing a title is a title of a part of it, and a slash ends what it stands in.
    const isInSvg = this.drawings > 0;
    if (mode !== undefined && !(isInSvg && name === 'title')) this.tokenizer.state = mode;
    if (this.dropped) {
      if (this.dropped.name === name) this.dropped.depth += 1;
      return;
    }
    if (droppedWithContent.has(name)) {
      if (!tag.selfClosing || mode !== undefined) this.dropped = { name, depth: 1 };
      return;
    }
    if (name === 'style' || (name === 'title' && !isInSvg)) {
      this.captured = name;
      this.text = '';
      return;
    }
    // A body with a look of its own becomes a part that has it.
    if (name === 'body') return this.write('div', tag.attrs.filter(isLook), false);
    if (isAllowedElement(name)) this.write(name, tag.attrs, tag.selfClosing && isSvgElement(name));
  }

  onEndTag({ tagName: name }: Token.TagToken): void {
    if (this.dropped) {
      if (this.dropped.name === name) this.dropped.depth -= 1;
      if (this.dropped.depth === 0) this.dropped = undefined;
      return;
    }
    if (this.captured === name) return this.endCaptured(name);
    if (!this.open.includes(name)) return;
    for (let closed: string | undefined; closed !== name;) {
      closed = this.open.pop();
      if (closed === 'svg') this.drawings -= 1;
      this.written.push(`</${closed}>`);
    }
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.dropped) return;
    if (this.captured) this.text += chars;
    else this.written.push(escapeHtml(chars));
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onNullCharacter(): void {}

  onComment(): void {}

  onDoctype(): void {}

  onEof(): void {}

  end(): CleanPage {
    if (this.captured) this.endCaptured(this.captured);
    for (const name of this.open.reverse()) this.written.push(`</${name}>`);
    return { title: this.title, body: this.written.join('').trim() };
  }

  private write(name: string, attributes: readonly Token.Attribute[], isClosed: boolean): void {
    const isVoid = voidElements.has(name);
    if (this.open.length >= deepest) return;
    const kept = attributes
      .filter(({ name: attribute, value }) => isAllowedAttribute(name, attribute, value))
      .map(({ name: attribute, value }) => ` ${attribute}="${escapeHtml(value)}"`);
    this.written.push(`<${name}${kept.join('')}>`);
    if (isClosed) this.written.push(`</${name}>`);
    if (isClosed || isVoid) return;
    this.open.push(name);
    if (name === 'svg') this.drawings += 1;
  }

  private endCaptured(captured: Captured): void {
    this.captured = undefined;
    if (captured === 'style') {
      // Within a style nothing is markup, wherever a browser may find it.
      this.written.push(`<style>${this.text.replaceAll('<', String.raw`\3C `)}</style>`);
      return;
    }
    const title = this.text.replaceAll(/\s+/g, ' ').trim();
    if (title !== '') this.title ??= [...title].slice(0, maxTitleLength).join('');
  }
}

function isLook({ name }: Token.Attribute): boolean {
  return ['class', 'id', 'style', 'dir', 'lang'].includes(name);
}
