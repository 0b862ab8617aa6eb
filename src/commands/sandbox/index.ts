import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { parseInputJson } from '../../api/input-json.js';
import { meant } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import { startChild, throughCmd } from '../../base/child-process.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Group } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/option.js';

import type { Session } from '../../cli/declare/session.js';
import type { Offers } from '../../cli/declare/takers.js';
import { showUrl } from '../../cli/run/browser.js';
import { checked } from '../../output/messages.js';
import { closed, done, oneOf, orNull, text } from '../../output/printed-shapes.js';
import { seedNames } from '../../sandbox/seeds/names.js';
import type { RunningSandbox } from '../../sandbox/start.js';
import { atOption, requireBackup } from '../shared/backup-flags.js';
import {
  changesHere,
  chosenFile,
  fileOption,
  isDryRun,
  runningServer,
  sandboxFiles,
  sandboxTime,
  withControl,
} from './control.js';
import { backupOf, backupOption, loadedFields, seedBackup } from './from-backup.js';
import { requests } from './requests.js';
import { serverOptions, start, startInBackground, startServer, status, stop } from './server.js';
import { count, faultRule, shiftMs } from './typed.js';

const seed = manual({
  name: 'seed',
  summary: 'Replace all data with a seed',
  why: 'Seeds: tiny, acme (an organization of 400 people), huge (100,000 members), or an export of your own.',
  args: {
    '[seed]': {
      description: 'tiny (the default), acme (400 members, 60 spaces) or huge (100,000 members)',
      choices: seedNames,
    },
  },
  options: [
    option('--from <file>', 'Export to load, instead of a seed', { path: { use: 'reads' } }),
    backupOption('Backup to load: the whole organization'),
    atOption,
    fileOption,
  ],
  returns: done(Type.Literal('seeded'), loadedFields),
  examples: {
    'sandbox seed acme': 'load an organization of 400 people',
    'sandbox seed --from state.json': 'load the output of docs sandbox export',
    'sandbox seed --from-backup backup': 'load a copy of the organization of a backup',
    'sandbox seed --from-backup backup --at 2026-01-31': 'load it as it was',
  },
  ...changesHere,
  async run(session, { args, options }) {
    const file = await chosenFile(session, 'seed', options.file);
    const given = [args.seed, options.from, options.fromBackup].filter((value) => value !== undefined);
    if (given.length > 1)
      throw usageError('conflicting_flags', 'a seed, --from and --from-backup contradict each other');
    requireBackup(options, '--from-backup', options.fromBackup);
    if (typeof options.fromBackup === 'string') return seedBackup(session, file, options);
    const from = typeof options.from === 'string' ? resolve(session.io.cwd, options.from) : undefined;
    const chosen = from ?? String(args.seed ?? 'tiny');
    if (await isDryRun(session, file)) return;
    await withControl(session, file, (control) => control.seed(chosen, { isExport: from !== undefined }));
    await session.printer.done(
      { id: chosen, status: 'seeded' },
      checked(session.io, `Loaded ${chosen} into the sandbox.`),
    );
  },
});

const reset = manual({
  name: 'reset',
  summary: 'Reset the data to the seed, clear faults and requests',
  why: 'Use it to start each test from the same data.',
  options: [fileOption],
  returns: done(Type.Literal('reset')),
  examples: { 'sandbox reset': 'reset the sandbox' },
  ...changesHere,
  async run(session, { options }) {
    const file = await chosenFile(session, 'reset', options.file);
    if (await isDryRun(session, file)) return;
    const otherOf = (source: string) => backupOf(session, source);
    const id = await withControl(session, file, (control) => control.reset(otherOf));
    await session.printer.done({ id, status: 'reset' }, checked(session.io, `Reset the sandbox to ${id}.`));
  },
});

const exportData = manual({
  name: 'export',
  summary: 'Print the whole state as canonical JSON',
  why: 'Equal states print the same text, so that you can compare them. Tokens are left out.',
  options: [fileOption],
  returns: closed({ format: text, tables: Type.Object({}) }),
  examples: { 'sandbox export > state.json': 'save the state, to compare or load it later' },
  local: true,
  // Seeds a database that is not there yet.
  actsHere: true,
  async run(session, { options }) {
    const file = await chosenFile(session, 'export', options.file);
    const text = await withControl(session, file, (control) => control.export());
    const asked =
      session.globals.json || session.globals.output !== undefined || session.globals.jq !== undefined;
    await (asked ? session.printer.value(parseInputJson(text)) : session.printer.text(text));
  },
});

const clock = manual({
  name: 'clock',
  summary: 'Show or move the clock of the sandbox',
  why: 'Moving it forward ends restore windows and completes pending work. It keeps running in real time.',
  args: { '[shift]': 'How far to move: +7d, +90m; backwards after --: -- -1h' },
  options: [fileOption],
  returns: done(oneOf('running', 'moved'), { time: sandboxTime }),
  examples: {
    'sandbox clock': 'show the time in the sandbox',
    'sandbox clock +7d': 'move forward a week',
  },
  ...changesHere,
  async run(session, { args, options }) {
    const file = await chosenFile(session, 'clock', options.file);
    const byMs = args.shift === undefined ? undefined : shiftMs(String(args.shift));
    if (byMs !== undefined && (await isDryRun(session, file))) return;
    const now = await withControl(session, file, (control) =>
      byMs === undefined ? control.clock.now() : control.clock.shift(byMs),
    );
    const time = new Date(now).toISOString();
    const status = byMs === undefined ? 'running' : 'moved';
    const said = `The clock of the sandbox shows ${time}.`;
    await session.printer.done(
      { id: 'clock', status, time },
      byMs === undefined ? said : checked(session.io, said),
      { columns: ['id', 'status', 'time'].map((path) => ({ path })), fields: ['id', 'status', 'time'] },
    );
  },
});

const Fault = closed({
  id: Type.Integer(),
  match: text,
  status: meant('state', orNull(Type.Integer())),
  headers: Type.Record(text, text),
  delayMs: Type.Number(),
  reset: orNull(oneOf('before', 'after')),
  times: orNull(Type.Integer()),
  rate: Type.Number(),
});

const fault = manual({
  name: 'fault',
  summary: 'Make requests fail, to test error handling',
  why: 'Without --match, lists the current faults. The newest fault that matches a request applies.',
  options: [
    option('--match <request>', "Method and path; * matches any text: 'PATCH /v1/spaces/*'"),
    option('--status <n>', 'Answer with this status', { number: true }),
    option('--response-header <name=value>...', 'Send this header with the status'),
    option('--delay <time>', 'Wait before answering, such as 2s', { duration: true }),
    option('--reset <when>', 'Cut the connection before or after the change is stored', {
      choices: ['before', 'after'],
      closed: true,
      choiceError: 'invalid_value',
    }),
    option('--times <n>', 'How often; default: no limit', { number: true }),
    option('--rate <share>', 'Share of matching requests, 0 to 1; default: 1', { number: true }),
    option('--remove <id>', 'Remove one fault'),
    option('--clear', 'Remove all faults'),
    fileOption,
  ],
  returns: Type.Array(Fault),
  columns: ['id', 'match', 'status', 'headers', 'delayMs', 'reset', 'times', 'rate'],
  empty: 'No faults.',
  examples: {
    "sandbox fault --match 'PATCH /v1/spaces/*' --status 429 --times 3": 'answer three requests with 429',
    "sandbox fault --match '*' --reset after --rate 0.05": 'lose one answer in twenty',
    'sandbox fault --clear': 'remove all faults',
  },
  ...changesHere,
  async run(session, { options }, { view }) {
    await session.printer.check(view);
    const file = await chosenFile(session, 'fault', options.file);
    const rule = faultRule(options);
    const removed =
      options.remove === undefined
        ? undefined
        : count('--remove', options.remove, 1, Number.MAX_SAFE_INTEGER);
    const changes = rule !== undefined || removed !== undefined || options.clear === true;
    if (changes && (await isDryRun(session, file))) return;
    if (changes) session.printer.changed();
    const faults = await withControl(session, file, ({ faults: set }) => {
      if (options.clear === true) set.clear();
      else if (removed !== undefined) set.remove(removed);
      if (rule !== undefined) set.add(rule);
      return set.list();
    });
    const items = faults.map(({ method, path, ...rest }) => ({ ...rest, match: `${method} ${path}` }));
    await session.printer.list(items, view);
  },
});

const exec = manual({
  name: 'exec',
  summary: 'Run a command against a temporary sandbox',
  why:
    'Starts a server on a free port, sets DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORG for the command, and ' +
    'exits with its code. With --seed or --from-backup, the data is new and removed at the end.',
  args: { '<command...>': 'Command to run, after --' },
  options: serverOptions,
  returns: Type.Unknown({ description: 'Output of the command' }),
  examples: {
    'sandbox exec --seed acme -- ./nightly.sh': 'rehearse a script on new data',
    'sandbox exec --from-backup backup -- ./nightly.sh': 'rehearse it on a copy of the organization',
  },
  ...changesHere,
  here: { keeps: ['sandbox'], runs: ['script'] },
  passThrough: true,
  async run(session, { args, options }, { groups }) {
    const [program = '', ...words] = [args.command ?? []].flat();
    const isSeeded = options.seed !== undefined || options.fromBackup !== undefined;
    const fresh = isSeeded && options.file === undefined;
    const file = fresh ? ':memory:' : sandboxFiles(session, options.file).file;
    if (await isDryRun(session, file)) return;
    const running = await startServer(session, file, options, groups);
    try {
      await runCommand(session, running, program, words);
    } finally {
      await running.close();
    }
  },
});

async function runCommand(
  { io }: Session,
  { url, token, defaults }: RunningSandbox,
  program: string,
  words: string[],
): Promise<void> {
  const own = { DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORG: defaults.org };
  const child = startChild(io, program, words, { stdio: 'inherit', own });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', (cause) => {
      const line = throughCmd([program, ...words], io.platform);
      const more = { cause, ...(line && { hint: `docs sandbox exec -- ${line}` }) };
      reject(new DocsError('local-io', 'cannot_run', `cannot run ${program}: ${cause.message}`, more));
    });
    child.once('exit', (...ended) => resolve(ended));
  });
  if (code === 0) return;
  // docs exits with the code of the program.
  const exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  throw new DocsError('partial', 'command_failed', `${program} exited with code ${exitCode}`, { exitCode });
}

/** The sites of the sandbox; one that is published already is under the cursor, if there is one. */
const sitesHere: Offers = {
  none: 'The sandbox has no sites.',
  async list(session, { options }) {
    const { file } = sandboxFiles(session, options.file);
    if (!existsSync(file)) return [];
    const sites = await withControl(session, file, (control) => control.sites());
    return sites.map(({ id, title, isPublished }) => ({
      value: id,
      name: isPublished ? `${title} (published)` : title,
      id,
      current: isPublished,
    }));
  },
};

const publish = manual({
  name: 'publish',
  summary: 'Publish a site of the sandbox',
  why:
    'The platform publishes sites only in its app, not through the API. The site needs a space; its ' +
    'visibility stays.',
  args: {
    '<site>': {
      description: 'Site, by id, title or basename',
      asTyped: true,
      offers: async () => sitesHere,
    },
  },
  options: [fileOption],
  returns: done(Type.Literal('published'), { title: text, url: text }),
  exits: ['not-found', 'conflict'],
  examples: { "sandbox publish 'Acme Docs'": 'publish a site, and print its address' },
  ...changesHere,
  async run(session, { args, options }) {
    const file = await chosenFile(session, 'publish', options.file);
    if (await isDryRun(session, file)) return;
    const site = await withControl(session, file, (control) => control.publish(String(args.site)));
    const { id, title, url, changed } = site;
    const said = changed ? `Published ${title} at ${url}` : `${title} was published already, at ${url}`;
    await session.printer.done(
      { id, status: 'published', title, url },
      changed ? checked(session.io, said) : said,
    );
  },
});

const open = manual({
  name: 'open',
  summary: 'Open the sandbox in the browser',
  why:
    'Starts the server if none runs. Its pages show the data and each request, and have forms for clock, faults, ' +
    'seeds and reset; the address works once, for five minutes, and is printed if no browser starts.',
  options: [fileOption],
  returns: done(oneOf('opened', 'not-opened'), { url: text }),
  examples: { 'sandbox open': 'look at the sandbox in the browser' },
  effect: 'local',
  here: { keeps: ['sandbox'], runs: ['browser'] },
  local: true,
  async run(session, { options }) {
    const file = await chosenFile(session, 'open', options.file);
    if (await isDryRun(session, file)) return;
    const url = await startedUrl(session, file);
    const { openPath } = await import('../../sandbox/server/front.js');
    const ticket = await withControl(session, file, (control) => control.makeTicket());
    await showUrl(session, url, `${url}${openPath}?token=${ticket}`);
  },
});

/** The address of the server, which is started if none runs. */
async function startedUrl(session: Session, file: string): Promise<string> {
  const running = await runningServer(session, file);
  if (running !== undefined) return running.url;
  const isNew = !existsSync(file);
  const { state } = await startInBackground(session, { file });
  const seeded = isNew ? ', with the seed tiny (docs sandbox seed acme loads 400 people)' : '';
  session.printer.note(`Started the sandbox at ${state.url}${seeded}.`);
  return state.url;
}

export const sandbox: Group = {
  name: 'sandbox',
  noun: 'sandbox',
  summary: 'Run a local copy of the platform',
  guide: 'sandbox',
  why:
    'A small copy of the platform with data that is kept between commands. docs --sandbox <command> uses ' +
    'it without starting a server.',
  commands: [start, stop, status, open, seed, reset, exportData, clock, publish, fault, requests, exec],
};
