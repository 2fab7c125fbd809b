// The lessons of `docs/learn`, as the playground has them.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Lesson } from '../playground/lesson.js';

const FOLDER = 'docs/learn';

/** All lessons, in their order. */
export const lessons = (): readonly Lesson[] =>
  readdirSync(FOLDER)
    .filter((file) => /^\d\d-.*\.md$/.test(file))
    .sort()
    .map((file) => lessonOf(file.replace('.md', ''), readFileSync(join(FOLDER, file), 'utf8')));

/** A page of a lesson, part by part. What stands there as computed, the playground computes anew. */
function lessonOf(name: string, text: string): Lesson {
  const [whole, title, intro, program, guess, command, answer, change, changed] =
    LESSON.exec(text) ?? [];
  if (whole === undefined) throw new Error(`${FOLDER}/${name}.md is not made as lessons are`);
  const [, model] = / -m (\S+)/.exec(command) ?? [];
  return {
    name,
    title,
    program,
    guess,
    changed,
    intro: paragraphs(intro),
    answer: paragraphs(answer),
    change: paragraphs(change),
    ...(model !== undefined && { model }),
  };
}

const PROGRAM = '```litmus \\S+\\n([^]*?)```';
const RUN = '```console\\n([^]*?)```';
const LESSON = RegExp(
  `^# (.*)\\n([^]*?)${PROGRAM}\\n\\n\\*\\*Guess:\\*\\* (.*)\\n\\n` +
    `<details><summary>The answer</summary>\\n\\n${RUN}\\n([^]*?)</details>\\n\\n` +
    `## Change it\\n([^]*?)${PROGRAM}\\n\\n${RUN.replace('(', '(?:')}\\n\\n[^\\n]*\\n$`,
);

const paragraphs = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n\n')
    .map((paragraph) => paragraph.replaceAll('\n', ' '));
