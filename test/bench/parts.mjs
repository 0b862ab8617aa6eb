/**
 * Requests and peak memory of commands that can be split, whole and in parts: `node test/bench/parts.mjs [spaces…]`,
 * after `npm run build`. The organization is the seed `tiny`, with one of its spaces copied; each copy has two pages.
 * The table is that of docs/contributing/parts.md. It takes some minutes, so it is not part of `npm run bench`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const program = resolve('bin/docs.js');
const of = 7;
const sizes = process.argv.slice(2).map(Number);
const watch = `import fs from 'node:fs'; process.on('exit', () => { const [, kb] = /VmHWM:\\s*(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8')) ?? []; fs.writeFileSync(process.env.PEAK_FILE, kb ?? '0'); });`;
const peak = ['--import', `data:text/javascript,${encodeURIComponent(watch)}`];

for (const spaces of sizes.length === 0 ? [300, 3000] : sizes) await measure(spaces);

async function measure(spaces) {
  const home = mkdtempSync(join(tmpdir(), 'docs-parts-bench-'));
  const env = { HOME: home, PATH: process.env.PATH, NO_COLOR: '1', PEAK_FILE: join(home, 'peak') };
  const docs = (...words) =>
    execFileSync('node', [program, ...words], { env, cwd: home, maxBuffer: 1 << 30, encoding: 'utf8' });
  docs('sandbox', 'seed', 'tiny');
  const state = JSON.parse(docs('sandbox', 'export'));
  grow(state.tables, spaces);
  writeFileSync(join(home, 'seed.json'), JSON.stringify(state));
  docs('sandbox', 'seed', '--from', 'seed.json');
  const server = spawn('node', [program, 'sandbox', 'start', '--foreground', '-o', 'ndjson'], {
    env,
    cwd: home,
  });
  const started = JSON.parse(await firstLine(server.stdout));
  const counter = await countingProxy(started.url);
  Object.assign(env, {
    DOCS_BASE_URL: counter.url,
    DOCS_TOKEN: started.tokens.admin,
    DOCS_ORG: started.org,
  });
  const run = async (...words) => {
    counter.count = 0;
    const child = spawn('node', [...peak, program, ...words, '--quiet'], {
      env,
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (some) => {
      text += some;
    });
    const code = await new Promise((done) => child.on('close', done));
    if (code !== 0) throw new Error(`docs ${words.join(' ')}: exit ${code}\n${text}`);
    return {
      requests: counter.count,
      memoryMb: Math.round(Number(readFileSync(env.PEAK_FILE, 'utf8')) / 1000),
    };
  };
  const commands = {
    'backup run': {
      whole: ['backup', 'run', '--out', 'one'],
      part: (i) => ['backup', 'run', '--out', 'parts-backup', '--shard', `${i}/${of}`],
      merge: ['backup', 'merge', 'parts-backup', '--out', 'whole'],
    },
    ...Object.fromEntries(
      ['links check', 'access matrix', 'members review', 'change-requests stale'].map((name) => {
        const words = [...name.split(' '), ...(name.endsWith('stale') ? ['--list'] : [])];
        const parts = `parts-${name.replaceAll(' ', '-')}`;
        const part = (i) => [...words, '--shard', `${i}/${of}`, '--parts', parts];
        return [name, { whole: words, part, merge: [...words, '--merge', parts] }];
      }),
    ),
  };
  for (const [name, { whole, part, merge: words }] of Object.entries(commands)) {
    const one = await run(...whole);
    const parts = [];
    for (let i = 1; i <= of; i += 1) parts.push(await run(...part(i)));
    const most = (key) => Math.max(...parts.map((one) => one[key]));
    const joined = await run(...words);
    console.log(
      `| \`${name}\` | ${spaces} | ${one.requests} | ${most('requests')} | ${one.memoryMb} | ${most('memoryMb')} | ${joined.memoryMb} |`,
    );
  }
  counter.server.close();
  counter.server.closeAllConnections();
  server.kill();
  await new Promise((done) => server.on('close', done));
  rmSync(home, { recursive: true });
}

/** Copies a space with its revision and pages, under ids of its own. */
function grow(tables, spaces) {
  const model = tables.spaces.find(({ title }) => title === 'Engineering Handbook');
  const copied = ['spaces', 'revisions', 'page_versions'].map((table) => [
    table,
    tables[table].filter((row) => (table === 'spaces' ? row.id : row.space_id) === model.id),
  ]);
  const pages = copied[2][1].map(({ page_id }) => page_id);
  const ids = [...new Set([model.id, ...copied[1][1].map(({ id }) => id), ...pages])];
  let version = Math.max(...tables.page_versions.map(({ id }) => id));
  for (let at = tables.spaces.length; at < spaces; at += 1) {
    const mark = at.toString(36).padStart(5, '0');
    let text = JSON.stringify(Object.fromEntries(copied));
    for (const id of ids) text = text.replaceAll(id, `${id.slice(0, 15)}${mark}`);
    const made = JSON.parse(text);
    Object.assign(made.spaces[0], { title: `Handbook ${at}`, position: `5${String(at).padStart(11, '0')}` });
    const numbers = new Map();
    for (const row of made.page_versions) {
      version += 1;
      numbers.set(row.id, version);
      row.id = version;
    }
    const renumber = (nodes) =>
      nodes.map((node) => ({
        ...node,
        version: numbers.get(node.version) ?? node.version,
        ...(node.pages && { pages: renumber(node.pages) }),
      }));
    for (const row of made.revisions) row.pages = JSON.stringify(renumber(JSON.parse(row.pages)));
    for (const [table, rows] of Object.entries(made)) tables[table].push(...rows);
  }
}

async function firstLine(stream) {
  let text = '';
  for await (const some of stream) {
    text += some;
    if (text.includes('\n')) return text.split('\n')[0];
  }
  throw new Error('the sandbox did not start');
}

async function countingProxy(target) {
  const { hostname, port, host } = new URL(target);
  const counter = { count: 0, url: '', server: undefined };
  counter.server = createServer((incoming, answer) => {
    counter.count += 1;
    const headers = { ...incoming.headers, host };
    const onward = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (reply) => {
        answer.writeHead(reply.statusCode, reply.headers);
        reply.pipe(answer);
      },
    );
    incoming.pipe(onward);
  });
  await new Promise((done) => counter.server.listen(0, '127.0.0.1', done));
  counter.url = `http://127.0.0.1:${counter.server.address().port}`;
  return counter;
}
