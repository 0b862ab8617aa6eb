import { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { operations } from '../../../src/api/resources/index.js';
import { camel } from '../../../src/cli/declare/command.js';
import { type Kept, localEffects, type Program } from '../../../src/cli/declare/local-effects.js';
import type { TreeEntry } from '../../../src/cli/declare/outline.js';
import { walkLine } from '../../../src/cli/parse/mistakes.js';
import { parseCommand } from '../../../src/cli/parse/parser.js';
import { groups } from '../../../src/commands/index.js';
import { shellLine } from './run-line.js';
import type { World } from './world.js';

/** Watches what a command line does to this machine, and compares it with what the command declares. */

interface Seen {
  is: 'file' | 'program' | 'address';
  what: string;
}

type Functions = Record<string, (...args: unknown[]) => unknown>;

/** Functions that change what is at a path, and which of their arguments is that. */
const changing: Readonly<Record<string, number>> = {
  ...{ writeFile: 0, appendFile: 0, mkdir: 0, mkdtemp: 0, rm: 0, rmdir: 0, unlink: 0, truncate: 0 },
  ...{ rename: 1, copyFile: 1, cp: 1, link: 1, symlink: 1, createWriteStream: 0 },
};

const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = fs.constants;
const writes = (flags: unknown) =>
  typeof flags === 'number'
    ? (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)) !== 0
    : typeof flags === 'string' && flags !== 'r' && flags !== 'rs';

let seen: Seen[] | undefined;
let sent: string[] | undefined;
subscribe('http.server.request.start', (message) => {
  const { method, url } = (message as { request: IncomingMessage }).request;
  sent?.push(`${method} ${url}`);
});

const templates = operations.map(({ method, path }) => ({
  request: `${method} ${path}`,
  fits: new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`),
  // A plain word such as `latest` stands for itself before it is taken for an id.
  parameters: path.split('{').length,
}));

/** The declared request that was sent: `GET /v1/orgs/{organizationId}`; itself where none is that. */
export function requestOf(line: string): string {
  const found = templates.filter(({ fits }) => fits.test(line));
  return found.sort((one, other) => one.parameters - other.parameters)[0]?.request ?? line;
}
const note = (is: Seen['is'], what: unknown) => {
  // A descriptor was seen when it was opened.
  if (typeof what === 'string' || what instanceof URL || Buffer.isBuffer(what))
    seen?.push({ is, what: String(what) });
};

function wrap(owner: Functions, name: string, before: (args: unknown[]) => void): void {
  const original = owner[name];
  if (original === undefined) return;
  owner[name] = function (this: unknown, ...args) {
    if (seen !== undefined) before(args);
    return original.apply(this, args);
  };
}

/**
 * Wraps what Node offers for it, in this process.
 * @param starts whether programs start; where not, each is said to be missing, while something is watched: the next file
 *   of tests in this process may start some
 */
export function watchEffects(starts: boolean): void {
  for (const owner of [fs, fs.promises] as unknown as Functions[]) {
    for (const [name, at] of Object.entries(changing))
      for (const each of [name, `${name}Sync`]) wrap(owner, each, (args) => note('file', args[at]));
    for (const name of ['open', 'openSync'])
      wrap(owner, name, ([path, flags]) => (writes(flags) ? note('file', path) : undefined));
  }
  syncBuiltinESMExports();
  const child = ChildProcess.prototype as unknown as { spawn(options: { file: string }): unknown };
  const { spawn } = child;
  child.spawn = function (this: ChildProcess, options) {
    note('program', options.file);
    if (starts || seen === undefined) return spawn.call(this, options);
    process.nextTick(() => this.emit('error', Object.assign(new Error('spawn'), { code: 'ENOENT' })));
    return 0;
  };
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (this: net.Socket, ...words: never[]) {
    const [options] = (
      net as unknown as { _normalizeArgs(args: unknown[]): [{ host?: string; port?: number }] }
    )._normalizeArgs(Array.isArray(words[0]) ? words[0] : words);
    if (options.port !== undefined) note('address', `${options.host ?? 'localhost'}:${options.port}`);
    return connect.apply(this, words as never);
  } as typeof connect;
}

/** What happens while something runs; and the requests that the sandbox of this process gets. */
export async function effectsOf(
  run: () => Promise<unknown>,
): Promise<{ effects: Seen[]; requests: string[] }> {
  const effects: Seen[] = [];
  const requests: string[] = [];
  [seen, sent] = [effects, requests];
  try {
    await run();
  } finally {
    [seen, sent] = [undefined, undefined];
  }
  return { effects, requests: [...new Set(requests.map(requestOf))] };
}

type Places = Pick<World, 'env' | 'cwd' | 'sandbox'>;

/** Where docs keeps things, from the most particular. */
const keptAt = ({ env }: Places): readonly (readonly [Kept, string])[] => {
  const home = env.HOME ?? '';
  const state = join(home, '.local/state/docs');
  return [
    ['drafts', join(state, 'drafts')],
    ['last-runs', join(state, 'last-runs')],
    ['agent-plans', join(state, 'agent-plans')],
    ['journals', state],
    ['settings', join(home, '.config/docs')],
    ['cache', join(home, '.cache/docs')],
    ['sandbox', join(env.XDG_DATA_HOME ?? '', 'docs')],
    ['temporary', join(tmpdir(), 'docs-')],
    ['start-up', join(home, '.bashrc')],
    ...['.claude', '.codex', '.cursor', '.agents', '.gemini'].map(
      (name) => ['skills', join(home, name)] as const,
    ),
  ];
};

const programs: Readonly<Record<string, Program>> = {
  ...{
    git: 'git',
    'ssh-keygen': 'ssh-keygen',
    'xdg-open': 'browser',
    less: 'pager',
    [basename(process.execPath)]: 'own',
  },
};

interface Checked {
  /** What it did and does not declare. */
  undeclared: string[];
  /** What of its declaration it did: `keeps settings`, `runs git`, `--html`. */
  shown: string[];
}

/** Compares what a line did with what its command declares. */
export async function checkEffects(
  { command }: Pick<TreeEntry, 'command'>,
  line: string,
  found: readonly Seen[],
  places: Places,
): Promise<Checked> {
  const { keeps, runs, contacts } = localEffects(command);
  const named = await namedFiles(command, line, places);
  const checked: Checked = { undeclared: [], shown: [] };
  const hold = (isDeclared: boolean, what: string, told = what) =>
    isDeclared ? checked.shown.push(what) : checked.undeclared.push(told);
  for (const { is, what } of found) {
    if (is === 'program') {
      const program = programs[basename(what)] ?? 'script';
      hold(runs.includes(program), `runs ${program}`, `runs ${what}`);
    } else if (is === 'address') {
      const isOwn = line.includes('--sandbox') || line.startsWith('sandbox ');
      if (what === new URL(places.sandbox.url).host || (isOwn && what.startsWith('127.0.0.1:'))) continue;
      hold(contacts.length > 0, `contacts ${contacts}`, `contacts ${what}`);
    } else {
      const path = resolve(places.cwd, what);
      const kept = keptAt(places).find(([, place]) => path.startsWith(place));
      // A file is renamed into place, and the folders above a place are made.
      const isStep = /^\.docs-[0-9a-f]+\.tmp$/.test(basename(path));
      if (isStep || keptAt(places).some(([, place]) => place.startsWith(`${path}/`))) continue;
      const flag = named.find((one) => isPartOf(path, one.path));
      if (flag !== undefined) checked.shown.push(flag.name);
      else hold(kept !== undefined && keeps.includes(kept[0]), `keeps ${kept?.[0]}`, `writes ${path}`);
    }
  }
  return checked;
}

/** A file itself, the folder it is in, what is in it, and the parts and temporary files beside it. */
function isPartOf(path: string, named: string): boolean {
  const isAbove = named.startsWith(`${path}/`);
  const isBeside = dirname(path) === dirname(named) && basename(path).includes(basename(named));
  return path === named || isAbove || path.startsWith(`${named}/`) || isBeside;
}

/** The files and folders that the flags and positionals of a line name to be written; as it is declared. */
async function namedFiles(command: TreeEntry['command'], line: string, { cwd, env }: Places) {
  const argv = shellLine(line, env.HOME ?? '').words;
  const { path, pathAt, command: outline } = await walkLine(argv, groups, 'linux');
  if (outline === undefined) return [];
  const { args, options } = parseCommand(argv, { path, pathAt, command: outline });
  const takers = [
    ...command.args.map((taker) => ({ taker, name: `<${taker.name}>`, typed: args[taker.name] })),
    ...command.options.map((taker) => ({
      taker,
      name: `--${taker.name}`,
      typed: options[camel(taker.name)],
    })),
  ];
  return takers.flatMap(({ taker: { path: named }, name, typed }) => {
    if (named?.use !== 'writes') return [];
    const words = [typed ?? named.usual ?? []].flat().map(String);
    return words.map((word) => ({ name, path: resolve(cwd, word) }));
  });
}
