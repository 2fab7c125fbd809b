import { Places } from './places.js';
import type { CNode } from './tree.js';
import { partOf, partsOf } from './tree.js';

/** Macros of the file that have parameters. */
export abstract class Macros extends Places {
  private depth = 0;

  /** What a macro with parameters stands for, with the texts of the arguments in their places. */
  protected expanded(node: CNode): string | undefined {
    const called = partOf(node, 'function');
    const { templates, macros } = this.around.code;
    const macro = templates.get(called.text);
    // A macro without parameters may be all of a call but for its arguments.
    const name = macro === undefined ? macros.get(called.text) : undefined;
    if (name !== undefined) return `${name} ${partOf(node, 'arguments').text}`;
    if (macro === undefined) return undefined;
    const given = partsOf(partOf(node, 'arguments'));
    if (/#/.test(macro.text)) {
      return this.refuse(
        node,
        `the macro ${called.text} makes names or texts: that is not understood`,
      );
    }
    const names = new Map(macro.parameters.map((name, i) => [name, given[i]?.text ?? '']));
    return macro.text.replaceAll(/[A-Za-z_]\w*/g, (name) => names.get(name) ?? name);
  }

  /** Reads what a macro stands for in the place where it is used. */
  protected inMacro<Found>(node: CNode, name: string, read: () => Found): Found {
    if (++this.depth > 50) return this.refuse(node, `the macro ${name} is made of itself`);
    try {
      return this.usingAt(node, read);
    } finally {
      this.depth -= 1;
    }
  }
}
