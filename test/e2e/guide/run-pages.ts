import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mistakeIn } from '../../../src/cli/parse/mistakes.js';
import { parseCommand } from '../../../src/cli/parse/parser.js';
import { walk } from '../../../src/cli/parse/walk.js';
import { groups } from '../../../src/commands/index.js';
import { startSandbox } from '../../../src/sandbox/start.js';
import { openStore } from '../../../src/sandbox/store/store.js';
import { docsHere } from '../docs-here.js';
import { fastClock, haste } from '../examples/run-line.js';
import { runHere } from '../here.js';
import { copyPlanted, leaveTexts } from '../planted.js';
import { freshHome, type Home } from '../program.js';
import { type Block, blocksOf, docsCommands, normalised, withOutput } from './page.js';

/**
 * Every example of README, CONTRIBUTING and guide is run. The blocks of a page are one script: bash, from
 * top to bottom, in a folder of its own. A page that says `docs --sandbox` or `docs sandbox` runs as it
 * is; every other one against a new sandbox server, as it would against the real platform.
 *
 * After a change that is meant, DOCS_RECORD=1 writes the outputs of a page anew; read what came of it.
 */

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs/guide').map((name) => `docs/guide/${name}`),
]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, blocks: blocksOf(readFileSync(path, 'utf8')) }))
  .filter(({ blocks }) => blocks.length > 0);

/** Which test file runs which pages; each takes about as long as the others. */
const groupsOfPages = {
  'first steps': ['README', 'CONTRIBUTING', 'install', 'sign-in', 'security', 'sandbox', 'terminal'],
  scripting: ['output-and-scripting', 'errors-and-exit-codes', 'ci-recipes', 'agents'],
  people: ['bulk', 'offboarding', 'access-review', 'links'],
  access: ['access', 'sso', 'impact'],
  content: ['backup', 'publish-openapi'],
  help: ['previews', 'limits', 'upgrading', 'troubleshooting'],
  copies: ['restore', 'rehearse', 'at-scale'],
  'docs team': ['docs-team'],
  organization: ['plans', 'policy', 'approvals', 'organization-as-code'],
} as const;

/** Who commits, where a page uses git. */
const author = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@acme.example',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@acme.example',
};

const isRecording = process.env.DOCS_RECORD === '1';

export interface RanPage {
  code: number | null;
  /** The block that was last begun. */
  last: number;
  outputs: string[];
}

/**
 * Runs the pages of a group, each in a test file of its own, so that they run side by side.
 * @param textsOf the spaces whose texts are all needed of `acme`; those of all spaces, unless given
 */
export function holdPages(group: keyof typeof groupsOfPages, textsOf?: readonly string[]): void {
  const names: readonly string[] = groupsOfPages[group];
  describe.each(pages.filter(({ path }) => names.includes(basename(path, '.md'))))('$path', (page) =>
    holdPage(page, textsOf),
  );
}

/** What holds for all pages together. */
export function holdAllPages(): void {
  it('each page is run by one of the test files', () => {
    const named = Object.values(groupsOfPages).flat();
    expect(pages.map(({ path }) => basename(path, '.md')).sort()).toEqual([...named].sort());
  });

  it('examples that are not run are few', () => {
    const blocks = pages.flatMap((page) => page.blocks);
    expect(blocks.filter(({ runs }) => !runs).length).toBeLessThan(blocks.length / 5);
  });
}

function holdPage({ path, blocks }: (typeof pages)[number], textsOf?: readonly string[]): void {
  let home: Home;
  let ran: RanPage;
  const running = blocks.filter(({ runs }) => runs);

  beforeAll(async () => {
    home = freshHome();
    ran = await runPage(home, path, running, textsOf);
    if (isRecording) writeOutputs(home, path, running, ran);
  }, 240_000);
  afterAll(() => leavePage(home, running));

  it('runs from top to bottom', () => expectWhole(ran, running));

  for (const [index, { line, script, output }] of running.entries()) {
    if (output === undefined || isRecording) continue;
    it(`prints what stands below ${script.split('\n')[0]}`, () => {
      const printed = normalised(ran.outputs[index] ?? '', home.path);
      expect(printed, `line ${line}`).toBe(normalised(output, home.path));
    });
  }

  it('names commands and flags that there are', async () => {
    for (const { line, script } of blocks) {
      for (const words of docsCommands(script)) {
        expect(`line ${line}: docs ${words.join(' ')}: ${await problemOf(words)}`).toBe(
          `line ${line}: docs ${words.join(' ')}: none`,
        );
      }
    }
  });
}

/** Holds that no block of a page failed. */
export function expectWhole({ code, last, outputs }: RanPage, blocks: readonly Block[]): void {
  const failed = blocks[last];
  const where = `line ${failed?.line}:\n${failed?.script}\n${outputs[last]}`;
  expect({ code, where: code === 0 ? '' : where }).toEqual({ code: 0, where: '' });
}

/**
 * Runs the blocks of a page in one bash, the output of each kept apart.
 * @param textsOf the spaces whose texts are all needed of `acme` @param onEnd as that of `docsHere`
 */
export async function runPage(
  home: Home,
  path: string,
  blocks: readonly Block[],
  textsOf?: readonly string[],
  onEnd: (words: readonly string[], code: number) => void = () => {},
): Promise<RanPage> {
  const work = join(home.path, 'acme');
  const notes = join(home.path, 'notes');
  for (const folder of [work, notes]) mkdirSync(folder);
  const script = join(notes, 'page.sh');
  const begin = (index: number): string => `echo ${index} >'${notes}/at'; exec >>'${notes}/${index}' 2>&1`;
  const parts = blocks.flatMap((block, index) => [begin(index), block.script]);
  writeFileSync(script, ['set -euo pipefail', ...parts].join('\n'));
  const bare = blocks.some(({ script: text }) => /docs (--sandbox|sandbox)\b/.test(text));
  const server = bare ? undefined : await sandboxOf(work, notes);
  const here = await docsHere(home.path, {
    haste: bare ? 1 : haste,
    onEnd: async (words, code) => {
      onEnd(words, code);
      if (textsOf === undefined || !words.join(' ').startsWith('sandbox seed acme')) return;
      const { db } = await openStore(join(home.path, '.local', 'share', 'docs', 'sandbox.db'), Date);
      db.write(() => leaveTexts(db, textsOf));
      db.close();
    },
  });
  const env = { ...home.env, ...author, ...server?.env, PATH: here.path, LC_ALL: 'C.UTF-8' };
  const { code, stderr } = await finished(['bash', script], env, work);
  await here.close();
  await server?.close();
  const read = (name: string): string => readIfThere(join(notes, name));
  if (read('at') === '') throw new Error(`${path} did not begin: ${stderr}`);
  return { code, last: Number(read('at')), outputs: blocks.map((_, index) => read(String(index))) };
}

/** Stops the server that a page left running, and removes its home. */
export async function leavePage(home: Home, blocks: readonly Block[]): Promise<void> {
  if (blocks.some(({ script }) => script.includes('docs sandbox start')))
    await runHere(['sandbox', 'stop'], home.env, home.path, undefined);
  home.remove();
}

/** As `docs sandbox exec --seed tiny --content .` gives it to the script, with a fast clock. */
async function sandboxOf(contentFolder: string, folder: string) {
  const io = fastClock();
  const file = join(folder, 'sandbox.db');
  await copyPlanted('tiny', file, io);
  const { url, token, defaults, close } = await startSandbox({ file, contentFolder, io });
  return { env: { DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORG: defaults.org }, close };
}

/** Writes what blocks printed into the page: all of it, so that ids agree, unless it is what stands there. */
function writeOutputs(home: Home, path: string, blocks: readonly Block[], { last, outputs }: RanPage): void {
  const ran = blocks.slice(0, last + 1).map((block, index) => ({ block, printed: outputs[index] ?? '' }));
  const shown = ran.filter(({ block }) => block.output !== undefined);
  const as = (text: string) => normalised(text, home.path);
  if (shown.every(({ block, printed }) => as(printed) === as(block.output ?? ''))) return;
  // From the end, so that the lines of those before it stay.
  const page = shown.reduceRight(
    (text, { block, printed }) =>
      withOutput(text, block, printed.replaceAll(home.path, '~').replaceAll(/[ \t]+$/gm, '')),
    readFileSync(path, 'utf8'),
  );
  writeFileSync(path, page);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function finished(
  [command = '', ...args]: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Promise<{ code: number | null; stderr: string }> {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', failed);
    child.on('close', (code) => done({ code, stderr }));
  });
}

/** What is wrong with a command line, by its words alone; `none` if nothing is. */
export async function problemOf(words: readonly string[]): Promise<string> {
  if (words[0] === 'help' || words.includes('--help') || words.includes('--version')) return 'none';
  const walked = await walk(words, groups);
  const mistake = await mistakeIn(walked, words, groups, 'linux');
  const { command } = walked;
  if (mistake !== undefined || command === undefined) return mistake?.message ?? 'names no command';
  try {
    parseCommand(words, { ...walked, command });
    return 'none';
  } catch (cause) {
    return (cause as Error).message;
  }
}
