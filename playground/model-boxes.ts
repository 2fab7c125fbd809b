import { element } from './elements.js';

/** What models stand for, for people who know cards and no models. The others are folded. */
const MEANING: Readonly<Record<string, string>> = {
  'rdma-tso': 'your card, usual settings',
  'rdma-ro': 'memory with relaxed ordering',
  'rdma-manpage': 'completions as the manual has them',
  sc: 'everything in order',
};

/** The boxes of models. They stay where they are, so that whoever is at one stays there. */
export class ModelBoxes {
  private readonly others = element('details');

  /** @param changed is told which are ticked */
  constructor(
    private readonly root: HTMLElement,
    private readonly changed: (ticked: readonly string[]) => void,
  ) {
    this.others.append(element('summary', 'other models'));
    root.append(this.others);
  }

  /** @param shown what a model is called */
  show(names: readonly string[], asked: readonly string[], shown: (name: string) => string): void {
    const boxes = new Map(this.boxes.map((box) => [box.value, box]));
    for (const [name, box] of boxes) if (!names.includes(name)) box.parentElement!.remove();
    for (const name of names) {
      const box = boxes.get(name) ?? this.add(name);
      box.checked = asked.includes(name);
      const called = shown(name);
      const meaning = called === name ? MEANING[name] : undefined;
      const text = meaning === undefined ? called : `${meaning} (${name})`;
      box.nextElementSibling!.textContent = text;
      if (box.checked && box.closest('details') !== null) this.others.open = true;
    }
  }

  private get boxes(): readonly HTMLInputElement[] {
    return [...this.root.querySelectorAll('input')];
  }

  private add(name: string): HTMLInputElement {
    const label = element('label');
    const box = element('input');
    box.type = 'checkbox';
    box.value = name;
    box.onchange = () =>
      this.changed(this.boxes.flatMap(({ checked, value }) => (checked ? [value] : [])));
    label.append(box, ' ', element('span'));
    if (MEANING[name] === undefined) this.others.append(label);
    else this.others.before(label);
    return box;
  }
}
