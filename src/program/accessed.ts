import { inside } from './instructions.js';
import type { Expression, Instruction, LocationId, Program, Target } from './program.js';

/** The locations that some instruction of a program reads or writes. */
export function accessedLocations(program: Program): ReadonlySet<LocationId> {
  const found = new Set<LocationId>();
  const expression = (e: Expression): void => locationsOf(e).forEach((l) => found.add(l));
  const target = (t: Target): void => void (t.kind === 'location' && found.add(t.location));
  const own = (i: Instruction): void => {
    switch (i.kind) {
      case 'assign':
        expression(i.value);
        return target(i.target);
      case 'get':
      case 'put':
        return void found.add(i.from).add(i.to);
      case 'cas':
        found.add(i.location);
        return target(i.target);
      case 'assume':
      case 'if':
        return expression(i.condition);
      case 'loop':
        return i.condition === undefined ? undefined : expression(i.condition);
      case 'mfence':
      case 'poll':
      case 'rfence':
      case 'wait':
      case 'choose':
        return;
    }
  };
  const visit = (body: readonly Instruction[]): void => {
    for (const i of body) {
      own(i);
      inside(i).forEach(visit);
    }
  };
  program.threads.forEach((t) => visit(t.body));
  return found;
}

/** The distinct locations that an expression reads, from left to right. */
export function locationsOf(e: Expression): readonly LocationId[] {
  const found: LocationId[] = [];
  const visit = (x: Expression): void => {
    if (x.kind === 'location' && !found.includes(x.location)) found.push(x.location);
    if (x.kind === 'unary') visit(x.arg);
    if (x.kind === 'binary') {
      visit(x.left);
      visit(x.right);
    }
  };
  visit(e);
  return found;
}
