import { reach } from './reaching.js';
import { save } from './saving.js';

/** The pictures of the page as SVG, by their names. */
type Pictures = ReadonlyMap<string, string>;

/** Draws a picture when a reader opens it, and all pictures before the page is printed. */
export function drawWhenOpened(): void {
  const packed = document.getElementById('pictures');
  if (packed === null) return;
  void unpack(packed.textContent).then((pictures) => {
    const figures = [...document.querySelectorAll<HTMLElement>('figure')];
    const drawOpened = (): void => {
      for (const figure of figures) {
        if (figure.closest('details:not([open])') === null) draw(figure, pictures);
      }
      reach();
    };
    document.addEventListener('toggle', drawOpened, true);
    addEventListener('beforeprint', () => figures.forEach((figure) => draw(figure, pictures)));
    drawOpened();
  });
}

/** Unpacks the pictures. The name of a picture is its first id. */
async function unpack(packed: string): Promise<Pictures> {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const texts = (await new Response(stream).text()).split('\0');
  return new Map(texts.map((svg) => [/id="([^"]*)"/.exec(svg)![1], svg]));
}

/**
 * Draws the picture of a figure. A picture may be on a page twice, so its ids begin with that of the figure, not its
 * name.
 */
function draw(figure: HTMLElement, pictures: Pictures): void {
  const { picture, id, title } = figure.dataset;
  const svg = pictures.get(picture!);
  if (svg === undefined || figure.querySelector('svg') !== null) return;
  const box = figure.querySelector('.picture')!;
  box.firstElementChild!.innerHTML = svg.split(picture!).join(id);
  box.querySelector('title')!.textContent = title!;
  box.insertAdjacentHTML(
    'beforebegin',
    '<p class="sideways">This picture is wider than its place: it scrolls sideways.</p>',
  );
  box.insertAdjacentHTML('afterend', '<button type="button" class="save">Save as SVG</button>');
  box.nextElementSibling!.addEventListener('click', () => save(figure));
}
