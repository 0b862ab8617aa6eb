/**
 * Records what docs prints, and compares two recordings:
 *
 *   node scripts/outputs.mjs record <folder> [path prefix]   this checkout; the prefix names commands: `access`
 *   node scripts/outputs.mjs compare <before> <after> [path prefix]
 *
 * A recording has a file a command and seed, with each example in each medium and with each mishap: output, exit code,
 * requests, files written (test/outputs). Two of one commit are equal. `compare` exits with 1 where anything differs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';

const seeds = ['tiny', 'acme'];
const [task, ...words] = process.argv.slice(2);
if (task === 'record' && words.length > 0 && words.length < 3) record(...words);
else if (task === 'compare' && words.length > 1 && words.length < 4) compare(...words);
else {
  console.error('usage: node scripts/outputs.mjs record <folder> [path prefix]');
  console.error('       node scripts/outputs.mjs compare <before> <after> [path prefix]');
  process.exitCode = 2;
}

function fileNames(folder, seed, prefix) {
  const path = join(folder, seed);
  const start = prefix.replaceAll(' ', '-');
  return existsSync(path) ? readdirSync(path).filter((name) => name.startsWith(start)) : [];
}

function record(folder, prefix = '') {
  for (const seed of seeds)
    for (const name of fileNames(folder, seed, prefix)) rmSync(join(folder, seed, name));
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, DOCS_OUTPUTS: resolve(folder), DOCS_OUTPUTS_OF: prefix, TZ: 'UTC' };
  const args = ['vitest', 'run', '--project', 'outputs', '--maxWorkers', '3', '--passWithNoTests'];
  process.exitCode = spawnSync('npx', args, { stdio: 'inherit', env }).status ?? 1;
}

function compare(before, after, prefix = '') {
  const counts = { same: 0, differ: 0, gone: 0, new: 0, asked: [0, 0] };
  for (const seed of seeds) {
    const names = [before, after].flatMap((folder) => fileNames(folder, seed, prefix));
    for (const name of [...new Set(names)].sort()) {
      const [old, now] = [before, after].map((folder) => runsIn(folder, join(seed, name)));
      for (const key of new Set([...old.keys(), ...now.keys()]))
        compareRun(`${seed}: ${key}`, old.get(key), now.get(key), counts);
    }
  }
  const [asked, asks] = counts.asked;
  console.log(
    `${counts.same} runs the same, ${counts.differ} differ, ${counts.gone} gone, ${counts.new} new`,
  );
  console.log(`${asked} requests before, ${asks} after`);
  process.exitCode = counts.differ + counts.gone + counts.new > 0 ? 1 : 0;
}

/** The runs in a file, by what was typed and the medium. */
function runsIn(folder, name) {
  const path = join(folder, name);
  if (!existsSync(path)) return new Map();
  const runs = readFileSync(path, 'utf8').split(/^(?=\$ docs )/m);
  return new Map(
    runs.map((run) => {
      const lines = run.replace(/\n+$/, '').split('\n');
      // Of reads sent at once, how many are under way when the first fails is chance.
      const isMishap = / {2}# [^,]+, [^,]+$/.test(lines[0]);
      const kept = lines.slice(1).filter((line) => !isMishap || !line.startsWith('ask '));
      return [lines[0], kept.flatMap((line) => withText(folder, line))];
    }),
  );
}

/** A line, or, where it names a file that the run wrote, that and the text of the file. */
function withText(folder, line) {
  const [, name, mark] = /^(file .*) ([0-9a-f]{12})$/.exec(line) ?? [];
  if (mark === undefined) return [unpacked(line)];
  const text = readFileSync(join(folder, 'files', mark), 'latin1');
  return text.includes('\0') ? [line] : [name, ...text.split('\n').map((row) => `     ${unpacked(row)}`)];
}

/** The data of a page, which are packed in one line; ids of requests count all that were sent before. */
function unpacked(line) {
  return line.replace(/(?<=id="data">)[A-Za-z0-9+/=]+/, (data) =>
    inflateRawSync(Buffer.from(data, 'base64'))
      .toString()
      .replaceAll(/\breq_\d+_\d+\b/g, 'req_N')
      .replaceAll(/(?<=[\]}],)(?=[[{])/g, '\n'),
  );
}

function compareRun(name, old, now, counts) {
  if (old === undefined || now === undefined) {
    counts[old === undefined ? 'new' : 'gone'] += 1;
    console.log(`${old === undefined ? 'new ' : 'gone'}  ${name}`);
    return;
  }
  const [asked, asks] = [old, now].map((lines) => lines.filter((line) => line.startsWith('ask ')).length);
  counts.asked[0] += asked;
  counts.asked[1] += asks;
  if (old.join('\n') === now.join('\n')) {
    counts.same += 1;
    return;
  }
  counts.differ += 1;
  console.log(`differs  ${name}${asked === asks ? '' : `  (${asked} requests, now ${asks})`}`);
  const [from, to] = [old, now].map((lines) => `${lines.join('\n')}\n`);
  console.log(formatPatch(structuredPatch('', '', from, to, '', '', { context: 2 }), OMIT_HEADERS));
}
