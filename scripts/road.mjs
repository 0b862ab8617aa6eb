// Measures the way of one change, `docs spaces delete x --yes` against a platform that answers at once: the own frames on
// the stack as the first socket is opened, the files of `src` that run, and their functions. Prints these three numbers.
//
//   node scripts/road.mjs                      the three numbers
//   node scripts/road.mjs --list               and the frames, and each file with its functions
//   node scripts/road.mjs spaces get x --json  the same of another command
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Runs in the process before the program. */
const hookCode = `
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
Error.stackTraceLimit = 200;
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...words) {
  writeFileSync(process.env.ROAD_STACK, new Error().stack);
  Socket.prototype.connect = connect;
  return connect.apply(this, words);
};
`;
const isListed = process.argv.includes('--list');
const typed = process.argv.slice(2).filter((word) => word !== '--list');
const words = typed.length > 0 ? typed : ['spaces', 'delete', 'x', '--yes'];

// Packages are found beside the sources.
const folder = resolve('build', 'road');
const home = mkdtempSync(join(tmpdir(), 'docs-road-'));
const coverage = join(home, 'coverage');
const stackFile = join(home, 'stack');
try {
  await makeSources();
  await runOnce();
  const frames = readFrames();
  const files = readFunctions();
  const functions = [...files.values()].reduce((sum, names) => sum + names.length, 0);
  if (isListed) printAll(frames, files);
  console.log(`${frames.length} frames at the first socket, ${files.size} files, ${functions} functions`);
} finally {
  rmSync(home, { recursive: true });
}

/** A file of JavaScript for each of the sources, with the outlines of the commands as the build has them. */
async function makeSources() {
  rmSync(folder, { recursive: true, force: true });
  const { outputFiles } = await build({
    entryPoints: ['src/**/*.ts', 'src/**/*.json'],
    outdir: join(folder, 'src'),
    outbase: 'src',
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    define: { __DOCS_BUILT__: 'true' },
    logOverride: { 'unsupported-require-call': 'silent' },
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text.replaceAll(/from "(\.[^"]+)\.json" with \{[^}]*\}/g, 'from "$1.js"'));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
  const made = await import(pathToFileURL(join(folder, 'src/commands/outlines.js')).href);
  const { allOutlines, allRecords, recordFile } = made;
  const declared = join(folder, 'src/cli/declare');
  for (const name of ['outlines', 'records']) mkdirSync(join(declared, name));
  const outlines = join(declared, 'outlines');
  for (const [path, record] of await allRecords())
    writeFileSync(join(declared, recordFile(path)), JSON.stringify(record));
  for (const [name, outline] of await allOutlines())
    writeFileSync(join(outlines, `${name}.json`), JSON.stringify(outline));
}

/** Runs the command in a process whose functions are counted, and whose stack is kept as it first connects. */
async function runOnce() {
  const server = createServer(answer);
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const hook = join(home, 'hook.mjs');
  writeFileSync(hook, hookCode);
  const start = join(home, 'start.mjs');
  const program = pathToFileURL(join(folder, 'src/process.js')).href;
  writeFileSync(start, `import { runProcess } from ${JSON.stringify(program)};\nvoid runProcess();\n`);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    DOCS_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    DOCS_TOKEN: 'token',
    NODE_V8_COVERAGE: coverage,
    ROAD_STACK: stackFile,
  };
  const child = spawn(process.execPath, ['--import', pathToFileURL(hook).href, start, ...words], {
    env,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (text) => {
    told += text;
  });
  const code = await new Promise((done) => child.on('close', done));
  server.close();
  if (code !== 0) throw new Error(`docs ${words.join(' ')} ended with ${code}: ${told}`);
}

/** As the platform does for a space, or an empty list; any other path has its own id back. */
function answer(request, response) {
  request.resume();
  request.on('end', () => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const space = {
      object: 'space',
      id: pathname.split('/').at(-1),
      title: 'Handbook',
      visibility: 'private',
    };
    const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
    const answer = /\/[a-z-]{2,}s$/.test(pathname) ? { items: [] } : { ...space, ...times };
    const isDeleted = request.method === 'DELETE';
    response.writeHead(isDeleted ? 205 : 200, { 'content-type': 'application/json' });
    response.end(isDeleted ? undefined : JSON.stringify(answer));
  });
}

/** The functions of our own on the stack as the first socket was opened, innermost first. */
function readFrames() {
  const own = readFileSync(stackFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes(folder));
  return own.map((line) => line.trim().replace(pathToFileURL(join(folder, 'src')).href, 'src'));
}

/** The functions that ran, by file of `src`. What a module does as it is loaded is no function. */
function readFunctions() {
  const { result } = JSON.parse(readFileSync(join(coverage, readdirSync(coverage)[0]), 'utf8'));
  const files = new Map();
  for (const { url, functions } of result) {
    if (!url.startsWith(pathToFileURL(folder).href)) continue;
    const name = relative(folder, fileURLToPath(url)).replace(/js$/, 'ts');
    const ran = functions.filter(({ ranges: [{ startOffset, count }] }) => count > 0 && startOffset > 0);
    files.set(
      name,
      ran.map(({ functionName }) => functionName || '=>'),
    );
  }
  return files;
}

function printAll(frames, files) {
  for (const frame of frames) console.log(frame);
  const byCount = [...files].sort(([, one], [, other]) => other.length - one.length);
  for (const [name, functions] of byCount) console.log(`${functions.length} ${name}: ${functions.join(' ')}`);
}
