// A page of the site: the questions of corpus/field, answered and explained by Remora, with a picture for each answer.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Timeline } from '../dist/analyses/timeline/timeline.js';
import { drawTimelineSvg } from '../dist/report/picture/index.js';
import { timelineMermaid } from '../dist/report/timeline-mermaid.js';

const HEAD = `# Questions from the field

Questions that RDMA engineers asked in public, each reduced to small programs (\`corpus/field\`), and what
Remora answers under RDMA^TSO; programs with waits under RDMA^WAIT. Everything but the questions is made by
\`remora explain --markdown --fix --timeline\`. No answer is published elsewhere.

A put is on its way in several steps: the NIC reads the value, the value arrives at the other node and is
acknowledged, and only then it is written into memory. A poll waits for the acknowledgement. A get after it on
the same queue pair pushes it into memory, but only because PCIe keeps a read behind the writes before it. What rests
on that fails under \`rdma-tso-nopcie\`, which is RDMA^TSO without this guarantee; each answer and each fix
was tried there, and says so if it fails. Some programs with waits cannot be tried there, as the waits have no
translation to polls: these say so, too, and may fail without this guarantee.

In the pictures, time goes down. Each thread, each network card (NIC) and each memory has a lane; what waits in a lane has a
band there. ⚠ is where it goes wrong; a red arrow that leads up is a step that would have to come before an earlier one
([more](pictures.md#timelines)).

First all answers at a glance: a program, the outcome that is asked about, and whether it can happen.

`;

const MODELS = 'rdma-tso,rdma-wait,rdma-tso-nopcie';

interface FieldPage {
  readonly text: string;
  /** As SVG, by the names of their files. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** What is read of an explanation as JSON. */
interface Explained {
  readonly test: string;
  readonly query: number;
  readonly question: string;
  readonly models: readonly {
    readonly model: string;
    readonly verdict: string;
    readonly admitted?: { readonly timeline?: Timeline };
    readonly refuted?: {
      readonly ways?: {
        readonly shapes: readonly [{ readonly way: { readonly timeline?: Timeline } }];
      };
    };
  }[];
}

interface Picture {
  readonly file: string;
  readonly title: string;
  readonly timeline: Timeline;
}

/** What `remora explain` tells of all programs. As JSON, it complains of each model that cannot treat one. */
function explain(...options: readonly string[]): string {
  const all = ['explain', ...options, '--timeline', '-m', MODELS, 'corpus/field'];
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli/main.cjs', ...all], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0 && !stderr.includes('cannot be translated')) throw new Error(stderr);
  return stdout;
}

/** The timelines of all answers, by test and text in Mermaid: where that text is on the page, the picture goes. */
function pictures(): ReadonlyMap<string, Picture> {
  const explanations = explain('--json')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Explained);
  const drawn = explanations.flatMap(({ test, query, question, models }) =>
    models.flatMap(({ model, verdict, admitted, refuted }) => {
      const timeline = admitted?.timeline ?? refuted?.ways?.shapes[0]?.way.timeline;
      if (timeline === undefined) return [];
      // As the command itself calls the picture.
      const title = `${test} under ${model}: ${question}: ${verdict}`;
      const file = `${test}${query === 0 ? '' : `-${query + 1}`}.svg`;
      return [[`${test} ${timelineMermaid(timeline)}`, { file, title, timeline }] as const];
    }),
  );
  // Where models agree on a timeline, the title is that of the first.
  return new Map(drawn.reverse());
}

/** The page, and the pictures that it shows. */
export function fieldPage(): FieldPage {
  const known = pictures();
  const shown = new Map<string, string>();
  let test = '';
  const told = explain('--markdown', '--fix').replace(
    /^###? (\S+)$|```mermaid\n([^`]*)```/gm,
    (all: string, name: string | undefined, mermaid: string) => {
      if (name !== undefined) {
        test = name;
        return all;
      }
      const { file, title, timeline } = known.get(`${test} ${mermaid}`)!;
      shown.set(file, drawTimelineSvg(timeline, title));
      return `![${title}](field/${file})`;
    },
  );
  return { text: HEAD + told, pictures: shown };
}

/** Writes `field.md` and the folder `field` of its pictures into a folder. */
export function writeFieldPage(folder: string): void {
  const { text, pictures } = fieldPage();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'field'), { recursive: true });
  for (const [file, svg] of pictures) writeFileSync(join(folder, 'field', file), svg);
  writeFileSync(join(folder, 'field.md'), text);
}
