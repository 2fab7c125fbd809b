/**
 * The style sheets of pages. The contrast of a colour to its ground is at least 4.5 to 1, light and dark. No colour tells
 * anything that a sign or a word does not tell, too.
 */

const LIGHT = `
--ground:#ffffff;--raised:#f4f4f2;--ink:#1b1b1b;--faint:#595959;--line:#c4c4c0;--link:#0b57a4;
--allowed:#6b4400;--allowed-ground:#fdf1d8;--forbidden:#0c4a80;--forbidden-ground:#e4effa;
--departs:#9f0d0d;--departs-ground:#ffe7e4;--focus:#0b57a4`;

const DARK = `
--ground:#1e1e1e;--raised:#292929;--ink:#eaeaea;--faint:#b4b4b4;--line:#565656;--link:#8cc4ff;
--allowed:#f4cf85;--allowed-ground:#3a2d10;--forbidden:#a8d2fb;--forbidden-ground:#15314d;
--departs:#ffb4ab;--departs-ground:#551a17;--focus:#8cc4ff`;

export const BASE_STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0 auto;padding:0 1rem 2rem;max-width:90rem;background:var(--ground);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}
code,pre{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.9em}
pre{margin:0;overflow-x:auto}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
main:focus{outline:none}
h1{font-size:1.7rem;line-height:1.2;margin:1rem 0 .5rem}
h2{font-size:1.25rem;line-height:1.3;margin:2rem 0 .75rem}
h3{font-size:1.05rem;margin:1.5rem 0 .5rem}
p{margin:.5rem 0}
.skip{position:absolute;left:1rem;top:-4rem;padding:.5rem 1rem;background:var(--ground);z-index:9}
.skip:focus{top:.5rem}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);
white-space:nowrap}
.title,.silent,.count{color:var(--faint)}
.scroll{overflow-x:auto;position:relative}
table{border-collapse:collapse}
th,td{padding:.35rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
thead th{vertical-align:bottom}
th{font-weight:600}
.number{text-align:right;font-variant-numeric:tabular-nums}
summary{cursor:pointer;padding:.25rem 0}
.verdict{white-space:nowrap;display:inline-block;padding:0 .4rem;border-radius:.3rem;
border:1.5px solid transparent}
.allowed,.fails{color:var(--allowed);background:var(--allowed-ground)}
.forbidden,.holds{color:var(--forbidden);background:var(--forbidden-ground)}
.unknown,.vacuous,.untranslatable{color:var(--ink);background:var(--raised)}
.verdict.published{font-weight:700;border-color:currentColor}
.verdict.expected{border:1px solid currentColor}
.verdict.departs{font-weight:700;color:var(--departs);background:var(--departs-ground);
border:2px solid currentColor}
.mark{font-weight:700;display:inline-block}
.sign{font-weight:700;padding-left:.1em}
.departure{color:var(--departs)}
.differ{white-space:nowrap;font-size:.85rem;font-weight:600}
.seen{white-space:nowrap;font-size:.9rem}
.legend dl{display:flex;flex-wrap:wrap;gap:.3rem 1.5rem;margin:.3rem 0}
.legend dl div{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:baseline;min-width:0}
.legend dd{margin:0;min-width:0}
kbd{font:inherit;font-size:.8rem;border:1px solid var(--line);border-radius:.25rem;padding:0 .3rem;
background:var(--raised);color:var(--ink)}
footer{margin-top:3rem;color:var(--faint);font-size:.85rem}
`;

/** The style for paper: it shows everything, and nothing to click. It must come last, to override the rest. */
export const PRINT_STYLE = `
@media print{
body{max-width:none;padding:0;font-size:10pt}
nav,.skip,.filters,footer{display:none}
a{color:inherit}
.scroll,.picture,pre{overflow:visible;max-height:none}
pre{white-space:pre-wrap}
h1,h2,h3,summary{break-after:avoid}
figure,tr{break-inside:avoid}
.room{min-width:0!important}
.picture svg{max-height:24cm}
.outcomes{font-size:8pt}
.outcomes th,.outcomes td{padding:.2rem .3rem}
.outcomes thead th{position:static}
.save,.sideways{display:none!important}
details::details-content{content-visibility:visible;display:block;height:auto;block-size:auto;opacity:1}
.verdict,.picture svg *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;

/**
 * A picture says that it scrolls, if it does. For each of these widths, in rem, there is a class for what needs that
 * much.
 */
const WIDTHS = Array.from({ length: 32 }, (_, i) => 12 + 4 * i);

/** The class for what needs so many rem, and scrolls if it has less. */
export const needing = (rem: number): string =>
  `needs-${WIDTHS.find((width) => width >= rem) ?? WIDTHS[WIDTHS.length - 1]}`;

const SCROLLING = WIDTHS.map(
  (width) => `@container (max-width:${width - 0.01}rem){.needs-${width} .sideways{display:block}}`,
).join('\n');

export const TEST_STYLE = `
nav span,.facts dd{min-width:0;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:.25rem 2rem;justify-content:space-between;padding:.75rem 0;
border-bottom:1px solid var(--line)}
main>nav{border:0;border-top:1px solid var(--line);margin-top:2rem}
.around{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}
h1+.title{font-size:1.1rem;margin-top:0}
.facts{margin:1rem 0;max-width:60rem}
.facts div{display:grid;grid-template-columns:5.5rem 1fr;margin:.3rem 0}
.facts dt{font-weight:600}
.facts dd{margin:0;grid-column:2}
.program{border:1px solid var(--line);background:var(--raised)}
.program th,.program td{border:0;border-bottom:1px solid var(--line);padding:.4rem 1rem}
.program tbody td{border-bottom:0}
.program thead th{vertical-align:top}
.program .edge,.program thead tr:first-child th{border-left:3px double var(--line)}
.program tr>:first-child{border-left:0!important}
.program td{color:var(--faint);font-size:.9rem}
.program pre{color:var(--ink);font-size:1rem;line-height:1.6;overflow:visible}
.initial{display:block;font-weight:400}
.initial code{margin-right:1rem;white-space:nowrap}
.file{margin-top:.5rem}
.file pre,.text pre{padding:.75rem;background:var(--raised);border:1px solid var(--line)}
.question>h2{border-top:1px solid var(--line);padding-top:1.5rem;margin-top:2.5rem}
.verdicts .state,.gist{color:var(--faint);margin-left:.6rem}
.verdicts .state{display:inline-block}
.overview tbody th{min-width:10rem}
.verdicts a{text-decoration:none}
.verdicts a .verdict{text-decoration:underline;text-underline-offset:.2em}
.verdicts .departing{background:var(--departs-ground)}
.observed{list-style:none;padding:0;margin:.75rem 0}
.explanation,.contrast{border:1px solid var(--line);border-radius:.4rem;margin:.6rem 0;padding:.25rem .9rem}
.body{scroll-margin-top:3rem}
.explanation[open]>summary,.contrast[open]>summary{border-bottom:1px solid var(--line);margin-bottom:.5rem}
.way,.run,.text{margin:.4rem 0}
.run ol{margin:.3rem 0;padding-left:2.2rem}
.beside{display:flex;flex-wrap:wrap;gap:0 2rem}
.beside>div{flex:1 1 24rem;min-width:0}
.sides{display:grid;gap:0 2rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:64rem){.sides{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}}
figure{margin:.75rem 0;min-width:0;max-width:100%;container-type:inline-size}
figcaption{margin-bottom:.25rem;color:var(--faint)}
.picture{overflow-x:auto}
.room{max-width:100%}
.sideways{display:none;margin:0 0 .25rem;font-size:.85rem;color:var(--faint)}
${SCROLLING}
.save{font:inherit;font-size:.85rem;margin-top:.25rem}
.unscripted{display:none}
@media (scripting:none){figure{display:none}.unscripted{display:block}}
.anchor{scroll-margin-top:3rem}
.verdicts tr:target{background:var(--raised)}
.picture svg{display:block;width:100%;height:auto}
.steps,.steps ul{margin:.3rem 0;padding-left:1.6rem}
.steps ul{list-style:none;border-left:2px solid var(--line);padding-left:.8rem;margin-left:.2rem}
.step{display:flex;flex-wrap:wrap;gap:0 1rem}
.step .why{color:var(--faint)}
.words{margin:.3rem 0}
.words div{display:grid;grid-template-columns:minmax(3rem,max-content) 1fr;gap:0 .8rem}
.words dd{margin:0}
.unfinished{color:var(--departs);font-weight:600}
@media (max-width:40rem){.facts div{grid-template-columns:1fr}.facts dd{grid-column:1}
.program th,.program td{padding:.4rem .6rem}}
`;
