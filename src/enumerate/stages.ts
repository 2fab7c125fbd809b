import { operandsOf } from '../model/interpret.js';
import type { Axiom, Model, TermId } from '../model/term.js';

/** A model's axioms as far as they can be judged before a candidate is complete. */
export interface Stages {
  /**
   * With reads-from complete and modification and flush order growing: the axioms that, once they
   * fail, fail for good. The argument holds for every model: such an axiom asks a relation to be
   * acyclic, irreflexive or empty, and the relation only grows with `mo` and `nfo`, since neither
   * stands under `~` or to the right of `\` in it.
   */
  readonly afterReads: Model;
}

const GROWING = new Set(['mo', 'nfo']);

export function stagesOf(model: Model): Stages {
  const axioms = model.axioms.filter(
    (axiom) => !axiom.flag && !axiom.negated && grows(model, axiom),
  );
  return { afterReads: { ...model, axioms } };
}

/** Does an axiom's term only ever gain from more `mo` and `nfo`? */
function grows(model: Model, axiom: Axiom): boolean {
  const depends = dependence(model);
  const seen = new Set<TermId>();
  const monotone = (id: TermId): boolean => {
    if (seen.has(id) || !depends[id]) return true;
    seen.add(id);
    const term = model.terms[id];
    if (term.op === 'compl') return false;
    if (term.op === 'diff' && depends[term.right]) return false;
    if (term.op === 'fix') return monotone(model.groups[term.group].bodies[term.index]);
    if (term.op === 'rec') return monotone(model.groups[term.group].bodies[term.index]);
    return operandsOf(term).every(monotone);
  };
  return monotone(axiom.term);
}

/** Which terms depend on the relations that grow; recursive ones are taken to. */
function dependence({ terms }: Model): readonly boolean[] {
  const depends: boolean[] = [];
  for (const term of terms) {
    const recursive = term.op === 'rec' || term.op === 'fix';
    const grows = term.op === 'base' && GROWING.has(term.name);
    depends.push(recursive || grows || operandsOf(term).some((operand) => depends[operand]));
  }
  return depends;
}
