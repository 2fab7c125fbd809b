import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DISK, MODELS_FOLDER, loadModelNamed } from '../../src/node/models.js';
import type { Model } from '../../src/model/term.js';
import { ok } from '../../src/parse/diagnostics/index.js';
import { verdicts } from '../support/checker.js';
import { readCases } from '../support/cases.js';
import { valueOf } from '../support/litmus.js';
import { ROOT } from '../support/run.js';

/**
 * Each rule of Arm's CPUs is there for a reason: without it, a program of `check/verdicts/arm.txt` or of `corpus/hosts` has another
 * verdict than it should have.
 */

const arm = valueOf(loadModelNamed('rdma-tso+arm').model);

/** The model with one text of a file in the place of another, which is there once. */
function changed(file: string, from: string, to: string): Model {
  const text = readFileSync(join(MODELS_FOLDER, 'cpu/parts', file), 'utf8');
  expect(text.split(from)).toHaveLength(2);
  const read: typeof DISK.read = (path) =>
    basename(path) === file ? ok({ path, text: text.replace(from, to) }) : DISK.read(path);
  return valueOf(loadModelNamed('rdma-tso+arm', { exists: DISK.exists, read }).model);
}

const hosts = join(ROOT, 'corpus/hosts');
const programs = [
  ...readCases(join(ROOT, 'test/check/verdicts/arm.txt')).map(({ input }) =>
    input.replace(/^models:.*\n/, ''),
  ),
  ...readdirSync(hosts).map((file) => readFileSync(join(hosts, file), 'utf8')),
];

/** A rule: the file, and its text with what stands there without the rule. */
type Rule = readonly [file: string, from: string, to?: string];
const ORDERS = 'arm-orders.cat';
const SETS = 'arm-sets.cat';
const EVENTS = 'arm-events.cat';

const RULES: readonly Rule[] = [
  [ORDERS, 'let basic =\n    basic-addr\n', 'let basic =\n    0\n'],
  [ORDERS, '  | basic-data\n  | basic-ctrl & (_ * cW)\n', '  | basic-ctrl & (_ * cW)\n'],
  [ORDERS, '  | basic-ctrl & (_ * cW)\n'],
  [ORDERS, '  | basic-addr ; po & (_ * cW)\n'],
  [ORDERS, '(basic-ctrl | basic-addr ; po) ; [ISB]', '(basic-addr ; po) ; [ISB]'],
  [ORDERS, '(basic-ctrl | basic-addr ; po) ; [ISB]', 'basic-ctrl ; [ISB]'],
  [ORDERS, '  | (addr | data | ctrl) & (csR * cW)\n'],
  [ORDERS, '  | read-picked ; (basic | bob | aob) & (_ * cW)\n'],
  [ORDERS, ' | amo ; lmrs ; [A | Q]'],
  [ORDERS, '  | basic-data\n  | lmrs\n', '  | lmrs\n'],
  [ORDERS, 'let cpu-issued =\n    basic-addr\n', 'let cpu-issued =\n    0\n'],
  [ORDERS, ' | (amo^-1 ; rb) \\ id'],
  [ORDERS, 'let waited =\n    po & (cW * device)\n', 'let waited =\n    0\n'],
  [ORDERS, '  | bob & (CPU * device)\n'],
  [ORDERS, '  | ctrl & (CPU * device)\n'],
  [ORDERS, '  | data & (CPU * device)\n'],
  [ORDERS, '  | basic-addr ; po & (CPU * device)\n'],
  [ORDERS, 'waited | read-picked ; waited', 'waited'],
  [ORDERS, 'let Buffered = cW', 'let Buffered = PW'],
  [ORDERS, 'let rfb = [cW] ; (rf & sthd) ; [cR]', 'let rfb = 0'],
  [ORDERS, 'acyclic sameloc | rf | rb | mo as coherence\n'],
  [SETS, 'basic-addr = addr \\ picked', 'basic-addr = addr'],
  [SETS, '    [M] ; po ; [(F | Frel | D) & S] ; po\n', '    0\n'],
  [SETS, 'F | Frel | D', 'F | D'],
  [SETS, '  | [cR | polls] ; po ; [(Fld | Dld) & S] ; po\n'],
  [SETS, '  | ([cW] ; po ; [Fst & S] ; po) & (_ * cW)\n'],
  [SETS, '([cW] ; po ; [Fst & S] ; po) & (_ * cW)', '([cW] ; po ; [Fst & S] ; po)'],
  [SETS, '  | [cW] ; po ; [Dst & S] ; po\n'],
  [SETS, '    [A | Q] ; po\n', '    0\n'],
  [SETS, '  | po & (M * L)\n'],
  [SETS, '  | po & (L * A)\n'],
  [SETS, 'po & (L * A)', 'po & (L * (A | Q))'],
  [SETS, '  | [range([A] ; amo ; [L])] ; po\n'],
  [SETS, 'let Q = lRQ | polls', 'let Q = lRQ'],
  [EVENTS, 'work d : PW ; PO ; nrW', 'work d : PW ; nrW'],
];

/** What changes no verdict of any program, and why. */
const REDUNDANT: readonly (readonly [Rule, why: string])[] = [
  [
    [ORDERS, 'let aob = amo | amo ;', 'let aob = amo ;'],
    'the read part is before what overwrites it, in rb',
  ],
  [[ORDERS, '  | lmrs\n'], 'coherence'],
];

/** The verdicts with all rules, computed once for all rules, and for no program that none gets to. */
const known = new Map<string, string>();

function withAllRules(text: string): string {
  const found = known.get(text) ?? verdicts(text, arm).join();
  known.set(text, found);
  return found;
}

const differs = (model: Model): boolean =>
  programs.some((text) => verdicts(text, model).join() !== withAllRules(text));

describe('without a rule, some program has another verdict', () => {
  for (const [file, from, to = ''] of RULES) {
    test(`${file}: ${from} ${to}`, () => {
      expect(differs(changed(file, from, to))).toBe(true);
    });
  }
});

describe('what is redundant', () => {
  for (const [[file, from, to = ''], why] of REDUNDANT) {
    test(`${from}, since ${why}`, () => {
      expect(differs(changed(file, from, to))).toBe(false);
    });
  }
});
