// Writes the tables of docs/locks.md: what `remora explore` decides of the locks of corpus/locks and, under RDMA^TSO, of the large
// ones of bench/locks. With `--print costs` `entries` or `small`, it prints those that need corpus/locks only: what locks
// cost, who gets in, or all others.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MOST, countingCosts, remoteLoops } from './lock-costs.js';
import type { File, Pair } from './lock-files.js';
import {
  PLACES,
  PASSED,
  EXCLUSION,
  MODELS,
  HARDWARE,
  UNORDERED,
  TOO_LARGE,
  WAITS,
  COHORTS,
  COSTS,
  ENTERED,
  LARGE,
  TWICE,
} from './lock-files.js';
import { askingEntries, askingRounds, isEndless } from './lock-progress.js';

const PAGE = 'docs/locks.md';

/** What is decided of a query, as JSON has it. */
interface Decided {
  readonly test: string;
  readonly model: string;
  readonly query: string;
  readonly verdict: string;
  readonly states: number;
  readonly symmetry?: unknown;
  /** Whose calls needed more room than there was. */
  readonly full?: readonly string[];
  readonly assuming?: readonly string[];
}

/** The answers about a test under a model to queries that begin in some way: one at least. */
type About = (test: string, model: string, kind: string) => readonly Decided[];

/** Texts of Markdown by the names of their places. */
type Made = Readonly<Record<string, string>>;

/** All verdicts about files, by test, model and the beginning of the query. */
function decided(files: readonly string[], models: readonly string[], by = ['explore']): About {
  const command = ['dist/cli/main.cjs', ...by, ...files, '-m', models.join(), '--json'];
  const found = new Map<string, readonly Decided[]>();
  // Claims that fail make the exit code 1; the answers are there all the same.
  let text: string;
  try {
    text = execFileSync(process.execPath, command, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      // Runs are told step by step.
      maxBuffer: 2 ** 28,
    });
  } catch (error) {
    const { status, stdout } = error as { readonly status?: number; readonly stdout: string };
    if (status !== 1) throw error;
    text = stdout;
  }
  for (const line of text.split('\n').filter((l) => l !== '')) {
    const record = JSON.parse(line) as Decided;
    const key = `${record.test} ${record.model}`;
    found.set(key, [...(found.get(key) ?? []), record]);
  }
  return (test, model, kind) => {
    const of = found.get(`${test} ${model}`)?.filter(({ query }) => query.startsWith(kind));
    if (of === undefined || of.length === 0)
      throw new Error(`no ${kind} in ${test} under ${model}`);
    return of;
  };
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
const number = (n: number): string => n.toLocaleString('en');

/** Does a verdict rest on a NIC that performs what it can perform again and again? */
const isByStrongFairness = ({ assuming = [] }: Decided): boolean =>
  assuming.some((a) => a.includes('strong'));

const source = (test: string): string => readFileSync(`corpus/locks/${test}.litmus`, 'utf8');
const title = (test: string): string => /^"(.*)"$/m.exec(source(test))![1];

/** In a few words, which queries of a file fail under a model. */
function failing(about: About, test: string, model: string): string {
  const words = about(test, model, '').flatMap(({ query, verdict, full }) => {
    if (full !== undefined) throw new Error(`too little room for ${test} under ${model}`);
    if (verdict === 'holds') return [];
    const says = verdict === 'fails' ? WRONG[query.split(' ')[0]](query) : `${query} ${verdict}`;
    return [`**${says}**`];
  });
  return words.length === 0 ? 'right' : words.join(', ');
}

const WRONG: Readonly<Record<string, (query: string) => string>> = {
  exclusive: (query) => `two in: ${/ of (.*)/.exec(query)![1]}`,
  assertions: () => 'assertions',
  progress: (query) => `not ${/T\d+/.exec(query)?.[0] ?? 'anybody'}`,
  never: (query) => /\w+ = \d+/.exec(query)![0],
  deadlock: () => 'deadlock',
};

/** What differs between hardware, then what does not. */
function hardwareTables(about: About, files: readonly string[]): Made {
  const rows = files.map((test) => ({
    test: `\`${test}\``,
    cells: HARDWARE.map((model) => failing(about, test, model)),
  }));
  const same = rows.filter(({ cells }) => new Set(cells).size === 1);
  const different = rows.filter((one) => !same.includes(one));
  const answers = [...new Set(same.map(({ cells }) => cells[0]))];
  return {
    hardware: table(
      ['File', ...HARDWARE.map((m) => `\`${m}\``)],
      different.map(({ test, cells }) => [test, ...cells]),
    ),
    samehardware: table(
      ['Under all five', 'Files'],
      answers.map((answer) => [
        answer,
        same.flatMap(({ test, cells }) => (cells[0] === answer ? [test] : [])).join(', '),
      ]),
    ),
  };
}

function unorderedTable(about: About, files: readonly string[]): Made {
  const exclusion = (test: string, model: string): string =>
    about(test, model, 'exclusive')
      .map(({ query, verdict, states }) => {
        const words = verdict === 'fails' ? `**${WRONG.exclusive(query)}**` : 'right';
        return `${words} (${number(states)})`;
      })
      .join(', ');
  return {
    unordered: table(
      ['File', ...UNORDERED.map((m) => `\`${m}\``)],
      files.map((test) => [`\`${test}\``, ...UNORDERED.map((m) => exclusion(test, m))]),
    ),
  };
}

function waitsTable(waits: About, polls: About): Made {
  const answer = (about: About, test: File, model: string): string =>
    test === undefined
      ? ''
      : `${failing(about, test, model)} (${number(about(test, model, '')[0].states)})`;
  return {
    waits: table(
      ['File', 'What it is', 'under `rdma-wait`', 'with polls, under `rdma-tso`'],
      WAITS.map(([test, polled]) => [
        ...[`\`${test}\``, title(test)],
        ...[answer(waits, test, 'rdma-wait'), answer(polls, polled, 'rdma-tso')],
      ]),
    ),
  };
}

function smallTables(about: About): Made {
  const data = (test: File, model: string): string => {
    if (test === undefined) return '';
    const [{ verdict }] = about(test, model, 'assertions');
    return verdict === 'holds' ? 'right' : verdict === 'fails' ? '**stale**' : verdict;
  };
  const both = (test: File): string => {
    const [tso, without] = ['rdma-tso', 'rdma-tso-nopcie'].map((m) => data(test, m));
    return tso === without ? tso : `${tso}; ${without} without PCIe`;
  };
  const exclusive = (test: string, model: string): string => {
    const [{ verdict, states }] = about(test, model, 'exclusive');
    return `${verdict === 'fails' ? '**fails**' : verdict} (${number(states)})`;
  };
  const gettingIn = (test: File): string => {
    if (test === undefined) return '';
    const asked = about(test, 'rdma-tso', 'progress');
    const starving = asked
      .filter(({ verdict }) => verdict !== 'holds')
      .map(({ query }) => /T\d+/.exec(query)![0]);
    if (starving.length > 0) return `not ${starving.join(', ')}`;
    return asked.some(isByStrongFairness) ? 'everybody, by strong fairness' : 'everybody';
  };
  return {
    places: table(
      ['Lock', "data on the lock's node", 'elsewhere', 'elsewhere, read back before the release'],
      PLACES.map(([name, ...tests]) => [name, ...tests.map(both)]),
    ),
    passed: table(
      [
        'Lock',
        "data on the lock's node",
        'on a third node',
        'read back before the lock is passed on',
      ],
      PASSED.map(([name, ...tests]) => [name, ...tests.map(both)]),
    ),
    exclusion: table(
      ['File', 'What it is', ...MODELS.map((m) => `\`${m}\``)],
      EXCLUSION.map((test) => [
        `\`${test}\``,
        title(test),
        ...MODELS.map((m) => exclusive(test, m)),
      ]),
    ),
    gettingin: table(
      ['Threads', 'loop of CAS (Algorithm 2)', 'one exchange (PlusCal)', 'without budget'],
      COHORTS.map(([name, ...tests]) => [name, ...tests.map(gettingIn)]),
    ),
  };
}

/** What is decided about copies of files in other words, each under the name of its copy. */
function decidedOfCopies(texts: ReadonlyMap<string, string>): About {
  const folder = mkdtempSync(join(tmpdir(), 'remora-locks-'));
  const paths = [...texts].map(([name, text]) => {
    const path = join(folder, `${name}.litmus`);
    writeFileSync(path, text.replace(/^RDMA .*/, `RDMA ${name}`));
    return path;
  });
  const about = decided(paths, ['rdma-tso'], roomy);
  rmSync(folder, { recursive: true });
  return about;
}

/** Who gets in. */
function entriesTable(): Made {
  const entries = new Map(ENTERED.map(([, test]) => [test, askingEntries(source(test))]));
  const endless = ENTERED.map(([, test]) => test).filter((test) => isEndless(source(test)));
  const rounds = new Map(endless.map((test) => [`${test}-rounds`, askingRounds(source(test))]));
  const about = decidedOfCopies(new Map([...entries, ...rounds]));
  const who = (asked: readonly Decided[]): string => {
    if (asked.some(({ verdict, full }) => verdict === 'unknown' || full !== undefined))
      throw new Error(`who gets into ${asked[0].test} is not known`);
    const never = asked.filter(({ verdict }) => verdict === 'fails');
    if (never.length === asked.length) return 'none';
    if (never.length === 0)
      return asked.some(isByStrongFairness) ? 'each, by strong fairness' : 'each';
    return `not ${never.map(({ query }) => /T\d+/.exec(query)![0]).join(', ')}`;
  };
  const rows = ENTERED.map(([name, test]) => {
    const [{ verdict }] = about(test, 'rdma-tso', 'progress any');
    return [
      ...[name, who(about(test, 'rdma-tso', 'progress T'))],
      ...[verdict === 'holds' ? 'yes' : '**no**'],
      endless.includes(test) ? who(about(`${test}-rounds`, 'rdma-tso', 'progress always')) : '',
    ];
  });
  const head = ['Lock', 'who enters gets in', 'some thread does', 'in again and again'];
  return { entries: table(head, rows) };
}

/** How many remote operations a round takes. */
function costsTable(): Made {
  const copies = COSTS.flatMap(([, test, thread]) =>
    [true, false].map((alone) => {
      const text = countingCosts(source(test), { thread, alone });
      return [`${test}-${thread}${alone ? '-alone' : ''}`, text] as const;
    }),
  );
  const about = decidedOfCopies(new Map(copies));
  const counts = (name: string): string => {
    const asked = about(name, 'rdma-tso', 'never');
    if (asked.some(({ verdict, full }) => verdict === 'unknown' || full !== undefined))
      throw new Error(`the costs of ${name} are not known`);
    const possible = asked.flatMap(({ verdict }, n) => (verdict === 'fails' ? [n] : []));
    const [least, most] = [possible[0], possible[possible.length - 1]];
    if (most === MOST) return `${least} or more`;
    return least === most ? `${least}` : `${least} to ${most}`;
  };
  const loops = (test: string, thread: string): string =>
    remoteLoops(source(test), thread)
      .map((operation) => `\`${operation}\``)
      .join(', ');
  const rows = COSTS.map(([who, test, thread]) => [
    ...[who, counts(`${test}-${thread}-alone`), counts(`${test}-${thread}`), loops(test, thread)],
  ]);
  return { costs: table(['Lock', 'alone', 'contended', 'asked again and again'], rows) };
}

function largeTable(about: About): Made {
  const rows = LARGE.flatMap((test) =>
    about(test, 'rdma-tso', '').map((answer) => [
      // In JSON a query is as in its file.
      ...[`\`${test}\``, `\`${answer.query.replace(/^deadlock$/, 'no deadlock')}\``],
      answer.verdict + (isByStrongFairness(answer) ? ', by strong fairness' : ''),
      number(answer.states) + (answer.symmetry === undefined ? '' : ' up to symmetry'),
    ]),
  );
  return { large: table(['File', 'Query', 'Verdict', 'States'], rows) };
}

/** What both ways say under RDMA^TSO, if it is the same. */
function twiceTable(explored: About, solved: About): Made {
  const agreed = (
    files: Pair | undefined,
    kind: string,
    query: number,
    [yes, no]: readonly [string, string],
  ): string => {
    if (files === undefined) return '';
    const [loops, once] = files.map((file) => `alock-${file}`);
    const [{ verdict }] = explored(loops, 'rdma-tso', kind);
    const answer = solved(once, 'rdma-tso', 'exists')[query].verdict;
    if (verdict === 'holds' && answer === 'forbidden') return yes;
    if (verdict === 'fails' && answer === 'allowed') return no;
    return `**${verdict}**, but once **${answer}**`;
  };
  const data = ['right', '**stale**'] as const;
  const rows = TWICE.map(([threads, exclusion, plain, flushed]) => [
    threads,
    agreed(exclusion, 'exclusive', 0, ['holds', '**fails**']),
    agreed(plain, 'assertions', 1, data),
    agreed(flushed, 'assertions', 1, data),
  ]);
  return { twice: table(['Threads', 'mutual exclusion', 'data', 'data, read back'], rows) };
}

const shown = [...PLACES, ...PASSED, ...COHORTS].flatMap(([, ...tests]) => tests).concat(EXCLUSION);
const files = [...new Set(shown.filter((test) => test !== undefined))].sort();
const inFolder = (names: readonly string[]): readonly string[] =>
  names.map((test) => `corpus/locks/${test}.litmus`);
/** All locks with polls about whose runs something is asked. */
const polled = readdirSync('corpus/locks')
  .map((file) => file.replace('.litmus', ''))
  .filter((test) => /^(exclusive|assertions|progress|never|deadlock)\b/m.test(source(test)))
  .filter((test) => !source(test).includes('wait('))
  // These say how often others come first, which is no mistake.
  .filter((test) => !test.endsWith('-passed'))
  .sort();
/** With room for so many calls that no thread has to wait for it. */
const roomy = ['explore', '--buffer', '6'];
const groups = {
  small: (): Made => {
    const onHardware = decided(inFolder(polled), HARDWARE, roomy);
    const withoutAtomics = polled.filter(
      (test) =>
        !/\br(?:cas|faa|xchg)\(/.test(source(test)) &&
        /^exclusive/m.test(source(test)) &&
        !TOO_LARGE.includes(test),
    );
    const unordered = decided(inFolder(withoutAtomics), UNORDERED);
    const withWaits = decided(inFolder(WAITS.map(([test]) => test)), ['rdma-wait'], roomy);
    return {
      ...smallTables(decided(inFolder(files), MODELS)),
      ...hardwareTables(onHardware, polled),
      ...unorderedTable(unordered, withoutAtomics),
      ...waitsTable(withWaits, onHardware),
    };
  },
  costs: costsTable,
  entries: entriesTable,
};
const { print } = parseArgs({ options: { print: { type: 'string' } } }).values;
if (print !== undefined) {
  console.log(Object.values(groups[print as keyof typeof groups]()).join('\n\n'));
} else {
  const inCorpus = new Set(readdirSync('corpus/locks'));
  const paths = (names: readonly string[]): readonly string[] =>
    [...new Set(names)].sort().map((name) => {
      const file = `${name}.litmus`;
      return `${inCorpus.has(file) ? 'corpus' : 'bench'}/locks/${file}`;
    });
  const twice = TWICE.flatMap(([, ...questions]) => questions.filter((q) => q !== undefined));
  const explored = decided(paths([...LARGE, ...twice.map(([loops]) => `alock-${loops}`)]), [
    'rdma-tso',
  ]);
  const solved = decided(paths(twice.map(([, once]) => `alock-${once}`)), ['rdma-tso'], ['check']);
  const made = {
    ...groups.small(),
    ...groups.costs(),
    ...groups.entries(),
    ...largeTable(explored),
    ...twiceTable(explored, solved),
  };
  let page = readFileSync(PAGE, 'utf8');
  for (const [name, text] of Object.entries(made)) {
    const place = new RegExp(`(<!-- table: ${name} -->\n)[^]*?(<!-- end of table -->)`);
    if (!place.test(page)) throw new Error(`${PAGE} has no place for the table ${name}`);
    page = page.replace(place, (_, begin: string, end: string) => `${begin}\n${text}\n\n${end}`);
  }
  writeFileSync(PAGE, page);
}
