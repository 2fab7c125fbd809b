import { element } from './elements.js';
import { shownProgram } from './examples.js';
import type { Example } from './shipped.js';
import { OF_LINK } from './work.js';
import type { Work } from './work.js';

/** What the folders of the corpus are about. */
const TOPICS: Readonly<Record<string, string>> = {
  '': 'Yours',
  learn: 'Ten lessons',
  field: 'Questions of engineers',
  c: 'Programs in C',
  'c/hosts': 'Programs in C on Arm',
  tso: 'Order of operations: tests of the TSO paper',
  rmw: 'Remote atomics',
  fabrics: 'Other cards and settings',
  hosts: 'Other CPUs',
  locks: 'Locks',
  loco: 'Libraries: tests of the LOCO paper',
  libraries: 'Libraries: ours',
  protocols: 'Protocols',
  robustness: 'Robustness',
};

/** The programs to begin with, by topic, with a search. */
export class ExampleList {
  private items: readonly { readonly button: HTMLButtonElement; readonly words: string }[] = [];
  private work: Work | undefined;

  /** @param choose is told what somebody chooses */
  constructor(
    private readonly root: HTMLDetailsElement,
    examples: readonly Example[],
    private readonly choose: (name: string) => void,
  ) {
    this.list([[OF_LINK, ''], ...examples]);
    this.search.oninput = () => this.find();
  }

  /** Says what is chosen, and what is not as it was. */
  mark(work: Work | undefined): void {
    this.work = work;
    for (const { button } of this.items) {
      const { name = '' } = button.dataset;
      button.textContent = shownProgram(
        name.slice(name.lastIndexOf('/') + 1),
        work?.isEdited(name) === true,
      );
      button.ariaPressed = String(name === work?.program);
    }
    this.find();
  }

  private get search(): HTMLInputElement {
    return this.root.querySelector('input')!;
  }

  private list(examples: readonly Example[]): void {
    const made: { button: HTMLButtonElement; words: string }[] = [];
    const folders = [...new Set(examples.map(([name]) => folderOf(name)))];
    const groups = folders.flatMap((folder) => {
      const list = element('ul');
      for (const [name, about] of examples.filter(([one]) => folderOf(one) === folder)) {
        const button = element('button');
        button.dataset['name'] = name;
        button.onclick = () => {
          this.root.open = false;
          this.root.querySelector('summary')!.focus();
          this.choose(name);
        };
        const item = element('li');
        item.append(button, ` ${about}`);
        list.append(item);
        made.push({ button, words: `${TOPICS[folder] ?? ''} ${name} ${about}`.toLowerCase() });
      }
      return [element('h2', TOPICS[folder] ?? folder), list];
    });
    this.items = made;
    this.root.querySelector('#found')!.replaceChildren(...groups);
  }

  /** Shows what has all words that are searched for. */
  private find(): void {
    const asked = this.search.value.toLowerCase().split(/\s+/);
    for (const { button, words } of this.items)
      button.parentElement!.hidden =
        (button.dataset['name'] === OF_LINK && this.work?.hasLink !== true) ||
        !asked.every((word) => words.includes(word));
    for (const list of this.root.querySelectorAll('ul')) {
      const none = [...list.children].every((item) => (item as HTMLElement).hidden);
      list.hidden = none;
      (list.previousElementSibling as HTMLElement).hidden = none;
    }
  }
}

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/'));
