import type { ExampleList } from './example-list.js';
import type { Example } from './shipped.js';
import { OF_LINK } from './work.js';
import type { Work } from './work.js';

/** What program is chosen, and the list of all, which is loaded when it is opened. */
export class Examples {
  private list: ExampleList | undefined;
  private work: Work | undefined;

  /**
   * @param load gives the list
   * @param choose is told what somebody chooses
   */
  constructor(
    private readonly root: HTMLDetailsElement,
    load: () => Promise<readonly Example[]>,
    choose: (name: string) => void,
  ) {
    root.addEventListener('toggle', async () => {
      if (!root.open) return;
      root.querySelector('input')!.focus();
      const { ExampleList } = await import('./example-list.js');
      const examples = await load();
      this.list ??= new ExampleList(root, examples, choose);
      this.list.mark(this.work);
    });
  }

  /** Says what is chosen, and what is not as it was. */
  show(work: Work): void {
    this.work = work;
    const called = shownProgram(work.program, work.isEdited(work.program));
    this.root.querySelector('#program-name')!.textContent = called;
    if (this.root.open) this.list?.mark(work);
  }
}

/** What a program is called. */
export const shownProgram = (name: string, isEdited: boolean): string =>
  `${name === OF_LINK ? 'from a link' : name}${isEdited ? ' (changed)' : ''}`;
