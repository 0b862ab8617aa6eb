// Compares what two builds print into a pipe: every example of the reference, as the first build has them, run by both
// on a new sandbox of the same seed and clock, with stdout compared byte for byte and the exit code. Times, names of jobs
// and tokens differ from run to run and are replaced first; ids do not, since a seed makes them. The requests
// that reached the platform are compared as well (the sandbox keeps the last 10,000); how many links a preview reads
// before its time is up depends on the machine.
//   node scripts/pipes.mjs <folder of the build before> <folder of the build now> [only lines that match]
// Prints the lines that differ; ends with 1 if there are any. The same folder twice shows what this cannot compare.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [before, now, only = ''] = process.argv.slice(2);
if (now === undefined) {
  console.error('usage: node scripts/pipes.mjs <build before> <build now> [pattern]');
  process.exit(2);
}

/** These start servers or browsers, ask, describe the program itself, or change what the comparison stands on. */
const left = [
  'auth',
  'commands',
  'completion',
  'doctor',
  'find',
  'mcp',
  'open',
  'rehearse',
  'sandbox',
  'schema',
  'skill',
];
/** Each reading line is run in each of these. A row for a person is none of them: that is what changes. */
const formats = ['', ' --json', ' -o csv'];
const named = /\s(?:--json|-o|--output|--jq|--fields|--header|--html|--raw)\b/;

const root = mkdtempSync(join(tmpdir(), 'docs-pipes-'));
const port = await freePort();
const requests = [];
const sides = [await side(before), await side(now)];
rmSync(root, { recursive: true, force: true });
let differing = 0;
for (const [line, one] of sides[0]) {
  const other = sides[1].get(line);
  if (one.code === other.code && one.stdout === other.stdout) continue;
  differing += 1;
  console.log(`\ndocs ${line}\n  exit ${one.code} → ${other.code}`);
  for (const text of firstDifference(one.stdout, other.stdout)) console.log(`  ${text}`);
  if (one.code !== other.code) console.log(`  stderr now: ${other.stderr.slice(0, 300).trim()}`);
}
for (const [request, count] of differenceOf(...requests))
  console.log(`\n${request}\n  sent ${count.join(' times → ')} times`);
const ran = [...sides[0].values()].filter(({ code }) => code === 0).length;
console.log(`\n${sides[0].size} lines, ${ran} of them end with 0; ${differing} differ.`);
process.exitCode = differing === 0 ? 0 : 1;

/** What each line prints, by line. Both sides have the same home, port and working folder, one after the other. */
async function side(folder) {
  const home = join(root, 'home');
  const work = join(home, 'work');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(join(home, 'bin'), { recursive: true });
  mkdirSync(work);
  const program = join(resolve(folder), 'bin', 'docs.js');
  writeFileSync(join(home, 'bin', 'docs'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(work, 'petstore.yaml'), 'openapi: 3.1.0\ninfo: { title: P, version: "1" }\npaths: {}\n');
  const env = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    DOCS_CREDENTIAL_STORE: 'file',
  };
  const bash = (line) => run(line, env, work, [program, resolve(folder)]);
  const { url, org, space, site, tokens } = JSON.parse(
    (await bash(`docs sandbox start --seed acme --port ${port} --json`)).raw,
  );
  Object.assign(env, { DOCS_BASE_URL: url, DOCS_TOKEN: tokens.admin, DOCS_ORG: org });
  try {
    const { reads, changes } = await lines(bash, { space, site });
    const results = new Map();
    await Promise.all(
      [1, 2, 3].map(async () => {
        for (let line = reads.shift(); line !== undefined; line = reads.shift())
          results.set(line, await bash(`docs ${line}`));
      }),
    );
    for (const line of changes) results.set(line, await bash(`docs ${line}`));
    const sent = await bash('docs sandbox requests --fields method,path');
    requests.push(counted(sent.raw.trimEnd().split('\n')));
    return new Map([...results].sort(([one], [other]) => (one < other ? -1 : 1)));
  } finally {
    await bash('docs sandbox stop');
  }
}

/** The examples of the build before, whichever build runs them; ids that only stand for some are those of the seed. */
async function lines(bash, { space, site }) {
  const other = { PATH: process.env.PATH, HOME: root };
  const program = join(resolve(before), 'bin', 'docs.js');
  const all = JSON.parse(
    (await run(`"${process.execPath}" "${program}" commands --full --json`, other, root, [])).raw,
  );
  const ids = async (list) => (await bash(`docs ${list} -o id`)).raw.split('\n').slice(0, 3);
  const known = {};
  const name = (letter, found) =>
    found.forEach((id, at) => {
      if (id) known[`${letter}${at + 1}`] = id;
    });
  name('s', [space, ...(await ids('spaces list --limit 2'))]);
  name('w', [site]);
  for (const [letter, list] of [
    ['t', 'teams list'],
    ['u', 'members list'],
    ['c', 'collections list'],
  ])
    name(letter, await ids(`${list} --limit 3`));
  name('p', await ids(`content pages list --space ${space}`));
  const fill = (line) => line.replace(/(?<![\w./"-])([swtucp]\d)(?![\w.])/g, (word) => known[word] ?? word);
  const examples = all
    .flatMap(({ path, danger, writesHere, examples }) =>
      left.includes(path.split(' ')[0])
        ? []
        : examples.map(({ run: line }) => ({
            line: fill(line.replace(/^docs /, '').replace(/ (?:>|<|\| dot).*$/, '')),
            isRead: danger === 'read' && writesHere === undefined && !line.includes('backup '),
          })),
    )
    .filter(({ line }) => line.match(only));
  const some = (isRead) => [
    ...new Set(examples.filter((one) => one.isRead === isRead).map(({ line }) => line)),
  ];
  const inFormats = (line) => (named.test(line) ? [line] : formats.map((format) => line + format));
  const changes = some(false);
  return {
    reads: some(true).flatMap(inFormats),
    // Previews first, of all of them: they change nothing.
    changes: [...changes.map((line) => `${line} --dry-run`), ...changes.map((line) => `${line} --yes`)],
  };
}

function run(line, env, cwd, folders) {
  return new Promise((done) => {
    const child = spawn('bash', ['-c', line], {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('close', (code) => done({ code, stderr, raw: stdout, stdout: stable(stdout, folders) }));
  });
}

/** The text without what differs from run to run. */
function stable(text, folders) {
  const year = new Date().getUTCFullYear();
  return (
    folders
      .reduce((whole, folder) => whole.replaceAll(folder, '<build>'), text)
      .replace(/2026-01-05T09:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
      .replace(new RegExp(`${year}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z`, 'g'), (time) =>
        Math.abs(Date.parse(time) - Date.now()) < 3_600_000 ? '<now>' : time,
      )
      .replace(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, '<job>')
      .replace(/sbx_[0-9a-f]{32}/g, '<token>')
      .replace(/\.[0-9a-f]{40}\//g, '.<signature>/')
      .replace(/\breq_\d+_\d+\b/g, '<request>')
      .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<signed>')
      // Digests of what has times in it.
      .replace(/\b(?:[0-9a-f]{64}|p-[0-9a-f]{16})\b/g, '<digest>')
      .replace(/("?(?:durationMs|pid|ms|bytes)"?[:\t] ?)\d+/g, '$1<n>')
  );
}

function firstDifference(one, other) {
  const [a, b] = [one.split('\n'), other.split('\n')];
  const at = a.findIndex((text, index) => text !== b[index]);
  const from = at < 0 ? a.length : at;
  if (one === other) return [];
  const [old = '', young = ''] = [a[from], b[from]];
  let column = 0;
  while (column < old.length && old[column] === young[column]) column += 1;
  const near = (text) =>
    text === undefined ? '(nothing)' : JSON.stringify(text.slice(Math.max(0, column - 60), column + 120));
  return [`line ${from + 1}:`, `- ${near(a[from])}`, `+ ${near(b[from])}`];
}

function counted(list) {
  const counts = new Map();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** What one side has more often than the other: how often each. */
function differenceOf(one, other) {
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((key) => [key, [one.get(key) ?? 0, other.get(key) ?? 0]])
    .filter(([, [before, now]]) => before !== now);
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => done(free));
    });
  });
}
