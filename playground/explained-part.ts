import { element, pre, scrolling, section } from './elements.js';
import type { Explained } from './question.js';

/** A section with an explanation. */
export function explainedOf(
  title: string,
  explained: Explained,
  ...content: readonly HTMLElement[]
): HTMLElement {
  const made = section(title, ...content);
  explainIn(made, explained);
  return made;
}

/** Adds an execution, or why there is none: step by step, in space and time, in words, and as a graph. */
export function explainIn(made: HTMLElement, { text, graph, timeline, steps }: Explained): void {
  if (steps !== undefined) {
    const through = folded('step by step', async () => {
      const { stepsOf } = await import('./steps.js');
      return stepsOf(steps, made);
    });
    made.append(through);
  }
  if (timeline !== undefined) {
    const save = element('a', 'save the picture');
    save.href = `data:image/svg+xml,${encodeURIComponent(timeline)}`;
    save.download = 'remora.svg';
    made.append(picture(timeline), save);
  }
  const words = element('details');
  words.open = timeline === undefined;
  words.append(element('summary', 'in words'), pre(text));
  made.append(words);
  if (graph === undefined) return;
  const drawn = folded('as a graph', async () => {
    const { drawSvg } = await import('../src/report/picture/svg.js');
    pictures += 1;
    return picture(drawSvg(graph, { idPrefix: `graph${pictures}` }));
  });
  made.append(drawn);
}

/** Names in pictures are told apart by this. */
let pictures = 0;

/** What is made when somebody wants to see it. */
function folded(title: string, content: () => Promise<HTMLElement>): HTMLDetailsElement {
  const made = element('details');
  made.append(element('summary', title));
  made.ontoggle = async () => {
    made.ontoggle = null;
    made.append(await content());
  };
  return made;
}

/** A picture, read as XML: what is no picture is shown as nothing. */
function picture(svg: string): HTMLElement {
  const made = scrolling('picture');
  made.classList.add('picture');
  const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml');
  if (documentElement.localName === 'svg') made.append(document.importNode(documentElement, true));
  return made;
}
