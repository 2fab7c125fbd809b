import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript-6';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../support/run.js';
import { ROOT, run } from '../support/run.js';

/**
 * The package as others get it: packed, installed into an empty folder, and used there by name. Its
 * dependencies come from npm's cache, in the versions of this repository's lock file, and without those that
 * only the development of Remora needs.
 */

interface Manifest {
  readonly version: string;
  readonly private?: boolean;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

type Locked = Readonly<Record<string, unknown>> & { readonly dev?: boolean };

const json = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const manifest = json<Manifest>(join(ROOT, 'package.json'));

/** The folder of somebody who installs the package, and the package in it. */
let home: string;
let installed: string;

const npm = (command: string, args: readonly string[], cwd: string): Promise<Run> =>
  run(command, args, { cwd, env: process.env as Record<string, string>, limit: 120_000 });

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'remora-package-'));
  installed = join(home, 'node_modules/remora');
  // Without its scripts: the build is there, and other tests use it at this moment.
  const packed = await npm('npm', ['pack', '--ignore-scripts', '--pack-destination', home], ROOT);
  expect(packed.code, packed.stderr).toBe(0);
  const tarball = `file:remora-${manifest.version}.tgz`;
  const own = { name: 'own', type: 'module', dependencies: { remora: tarball } };
  writeFileSync(join(home, 'package.json'), JSON.stringify(own));
  writeFileSync(join(home, 'package-lock.json'), JSON.stringify(lockFor(own, tarball)));
  const args = ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--prefix', home];
  const done = await npm('npm', args, home);
  expect(done.code, done.stderr).toBe(0);
}, 180_000);
afterAll(() => rmSync(home, { recursive: true }));

/** A lock file for a package of one's own that depends on the tarball. */
function lockFor(own: { readonly name: string }, tarball: string): object {
  const { packages } = json<{ packages: Record<string, Locked> }>(join(ROOT, 'package-lock.json'));
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const { version, bin, dependencies } = manifest;
  return {
    name: own.name,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': own,
      'node_modules/remora': { version, resolved: tarball, bin, dependencies },
      ...Object.fromEntries(needed),
    },
  };
}

const textOf = (file: string): string => readFileSync(join(installed, file), 'latin1');

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

describe('what is in it', () => {
  test('says that it may be used, and by whom it is', () => {
    const { license, private: kept } = json<Manifest>(join(installed, 'package.json'));
    expect([license, kept]).toEqual(['MIT', undefined]);
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toMatch(/^MIT License\n\nCopyright/);
  });

  test('has what users need, and neither sources nor tests', () => {
    const files = filesOf(installed);
    const folders = new Set(files.map((file) => file.split('/')[0]));
    expect([...folders].sort()).toEqual([
      ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'bench', 'cards', 'corpus'],
      ...['dist', 'docs', 'models', 'package.json'],
    ]);
    expect(
      files.filter(
        (file) =>
          !/\.(api|[ch]|cat|impl|isa|map|litmus|md|svg|c?js|d\.ts)$|^dist\/(bundle|grammars|made)\/|^LICENSE$|\/Makefile$|^package\.json$/.test(
            file,
          ),
      ),
    ).toEqual([]);
    expect(files).toContain('dist/index.d.ts');
  });

  // A third of it is the bundle that the command line starts from. What V8 compiles of it is kept when it first runs. Modules that only the command line has are in there alone.
  // What the build makes of a model saves time when it starts, and is packed. So are the cards, in C, which are built where they are used: 130 kB.
  test('is of a size that one installs without a thought', () => {
    // What npm packs is built without source maps (scripts/prepare.js); this build is the one that tests run.
    const bytes = filesOf(installed).map((file) => {
      const [, line = ''] = /(\/\/# sourceMappingURL=\S+\n)$/.exec(textOf(file)) ?? [];
      return readFileSync(join(installed, file)).length - line.length;
    });
    expect(bytes.reduce((a, b) => a + b)).toBeLessThan(5_700_000);
  });

  // Modules that only the command line has are in its bundle: what the library needs stands beside it.
  test('has all modules that its library imports', () => {
    const found = new Set<string>();
    const missing: string[] = [];
    const visit = (file: string): void => {
      if (found.has(file)) return;
      found.add(file);
      const code = textOf(file);
      const modules = ts.preProcessFile(code, true, true).importedFiles.map((f) => f.fileName);
      const workers = [...code.matchAll(/new URL\('(\.[^']+\.js)', import/g)].map(([, f]) => f);
      for (const name of [...modules, ...workers].filter((one) => one.startsWith('.'))) {
        const module = join(dirname(file), name);
        const to = file.endsWith('.d.ts') ? module.replace(/\.js$/, '.d.ts') : module;
        if (existsSync(join(installed, to))) visit(to);
        else missing.push(`${file}: ${name}`);
      }
    };
    visit('dist/index.js');
    visit('dist/index.d.ts');
    expect([found.size > 100, missing]).toEqual([true, []]);
  });

  test('depends on what it imports and reads, and on nothing else', () => {
    const scripts = filesOf(installed).filter((f) => /^dist\/.*\.c?js$/.test(f));
    const imported = scripts.flatMap((file) => {
      const code = readFileSync(join(installed, file), 'utf8');
      const modules = ts.preProcessFile(code, true, true).importedFiles.map((f) => f.fileName);
      // Files of packages that are no modules, such as fonts.
      const others = [...code.matchAll(/\.resolve\(["']([^"'/.]+\/[^"']+)["']\)/g)].map(
        ([, f]) => f,
      );
      // The bundle is one function, to which `require` is given: it is no module with imports.
      const required = [...code.matchAll(/\brequire\(["']([^"'.][^"']*)["']\)/g)].map(([, f]) => f);
      return [...modules, ...others, ...required];
    });
    const packages = imported
      .filter((name) => !/^\.|^node:/.test(name) && !builtinModules.includes(name))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0]);
    const declared = {
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    };
    expect([...new Set(packages)].sort()).toEqual(Object.keys(declared).sort());
  });
});

describe('its documents', () => {
  const documents = () => filesOf(installed).filter((file) => file.endsWith('.md'));

  /** What GitHub makes of a heading. */
  const anchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');

  test('link to nothing outside of it', () => {
    const missing: string[] = [];
    for (const file of documents()) {
      const text = readFileSync(join(installed, file), 'utf8').replace(/^```.*?^```$/gms, '');
      for (const [, link] of text.matchAll(/(?:\]\(|<img [^>]*src=")([^)"\s]+)/g)) {
        if (/^https?:/.test(link)) continue;
        const [path, hash] = link.split('#');
        const target = path === '' ? join(installed, file) : join(installed, dirname(file), path);
        const there = existsSync(target) && target.startsWith(installed);
        const headings = () =>
          [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, h]) => anchor(h));
        if (!there || (hash !== undefined && !headings().includes(hash))) {
          missing.push(`${file}: ${link}`);
        }
      }
    }
    expect(missing).toEqual([]);
  });

  test('name no file outside of it', () => {
    const folders = readdirSync(ROOT, { withFileTypes: true }).filter((e) => e.isDirectory());
    const path = new RegExp(`^(?:\\./)?(?:${folders.map((f) => f.name).join('|')})/[\\w./-]*$`);
    const missing: string[] = [];
    for (const file of documents()) {
      for (const [, span] of readFileSync(join(installed, file), 'utf8').matchAll(/`([^`\n]+)`/g)) {
        if (path.test(span) && !existsSync(join(installed, span))) missing.push(`${file}: ${span}`);
      }
    }
    expect(missing).toEqual([]);
  });
});

describe('in a folder of its user', () => {
  const npx = (...args: string[]) => npm('npx', ['--no-install', 'remora', ...args], home);

  test('npx remora check decides a program', async () => {
    const text =
      'RDMA mine node 1 { b = 1 } node 2 { x = 0 } thread T on 1 { x^2 := b; b := 7 } exists (x = 7)';
    writeFileSync(join(home, 'mine.litmus'), text);
    const { code, stdout } = await npx('check', 'mine.litmus');
    expect(stdout).toBe('mine under rdma-tso\n  exists (x = 7)\n    allowed: x = 7\n\n');
    expect(code).toBe(0);
  });

  test('npx remora test --shipped decides the corpus that comes with Remora', async () => {
    const { code, stdout } = await npx('test', '--shipped', '--grep', 'SB');
    expect(stdout).toContain('\nnode_modules/remora/corpus/tso/\n');
    expect(stdout).toMatch(/^\d+ tests, .*, 0 unknown; .*, 0 failed/m);
    expect(code).toBe(0);
  });

  test('a folder corpus of the user goes before it', async () => {
    const text = 'RDMA own node 1 { x = 0 } thread T on 1 { x := 1 } exists (x = 1)';
    const cwd = join(home, 'elsewhere');
    mkdirSync(join(cwd, 'corpus'), { recursive: true });
    writeFileSync(join(cwd, 'corpus/own.litmus'), text);
    const { stdout, stderr } = await remoraIn(cwd, 'compare', 'sc', 'rdma-tso');
    expect([stdout, stderr]).toEqual(['0 of 1 verdicts differ between sc and rdma-tso\n', '']);
  });

  const remoraIn = (cwd: string, ...args: string[]) =>
    run(process.execPath, [join(installed, manifest.bin['remora']), ...args], { cwd });

  test('its types hold under the strictest options, and its code runs', async () => {
    writeFileSync(
      join(home, 'use.ts'),
      `import { check, createPool, loadModel, parseLitmus } from 'remora';
import type { Answer, CheckOptions, Result } from 'remora';

// Not even the types of Node are there.
declare const console: { log(text: unknown): void };

const options: CheckOptions = { engine: 'auto', timeLimit: 10 };
const test = parseLitmus('RDMA t node 1 { x = 0 } thread T on 1 { x := 1 } exists (x = 1)');
const { model } = loadModel('rdma-tso');
if (!test.ok || !model.ok) throw new Error('both are right');
const pool = createPool({ jobs: 1 });
const answers: Result<readonly Answer[]> = await check(test.value, model.value, { ...options, pool });
await pool.close();
if (answers.ok) console.log(answers.value[0]?.verdict);
`,
    );
    const compilerOptions = {
      ...{ target: 'es2023', lib: ['es2023'], module: 'nodenext', outDir: 'out' },
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ types: [], typeRoots: [], skipLibCheck: false },
    };
    writeFileSync(
      join(home, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['use.ts'] }),
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const compiled = await run(process.execPath, [tsc, '-p', home], { cwd: home });
    expect(compiled.stdout).toBe('');
    const { stdout, stderr } = await run(process.execPath, ['out/use.js'], { cwd: home });
    expect([stdout, stderr]).toEqual(['allowed\n', '']);
  });
});
