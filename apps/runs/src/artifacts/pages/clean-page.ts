import { Tokenizer, TokenizerMode, type Token, type TokenHandler } from 'parse5';
import {
  droppedWithContent,
  isAllowedAttribute,
  isAllowedElement,
  isSvgElement,
  voidElements,
} from './allowed-markup.js';

/** What a model has written, as it can be shown. */
export interface CleanPage {
  /** What it calls itself; null if it does not. */
  readonly title: string | null;
  /** What stands in the body of the document, styles included. */
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
const longestTitle = 200;

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

/** What is read as its text and kept, but not as text of the page. */
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
    if (title !== '') this.title ??= [...title].slice(0, longestTitle).join('');
  }
}

function isLook({ name }: Token.Attribute): boolean {
  return ['class', 'id', 'style', 'dir', 'lang'].includes(name);
}
