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
