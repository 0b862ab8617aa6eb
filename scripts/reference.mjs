// Writes what is made from the declarations: docs/reference, docs/man with their list in package.json, and the
// tables between marks in docs/guide and README.md. With --check it writes nothing and fails where a file would change.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const check = process.argv.includes('--check');
const { generatedFiles, generatedFolders, groups, withManPages, withSections } = await declarations();

const wanted = await generatedFiles(groups);
for (const path of [...pagesIn('docs/guide'), 'README.md']) {
  wanted.set(path, withSections(readFileSync(path, 'utf8')));
}
wanted.set('package.json', withManPages(readFileSync('package.json', 'utf8'), wanted.keys()));
const stale = generatedFolders.flatMap(filesIn).filter((path) => !wanted.has(path));
const changed = [...wanted].filter(([path, text]) => textOf(path) !== text);

if (check) {
  const paths = [...changed.map(([path]) => path), ...stale];
  for (const path of paths) console.error(`${path} is not as the declarations make it.`);
  if (paths.length > 0) console.error('Run: npm run docs:build');
  process.exitCode = paths.length > 0 ? 1 : 0;
} else {
  for (const path of stale) rmSync(path);
  for (const [path, text] of changed) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  console.log(`${wanted.size} files, ${changed.length} written, ${stale.length} removed.`);
}

/** Bundles the TypeScript that makes the files, and loads it. */
async function declarations() {
  const folder = resolve('node_modules', '.cache', `docs-reference-${process.pid}`);
  const outfile = join(folder, 'reference.mjs');
  try {
    await build({
      stdin: {
        contents:
          "export * from './src/reference/generated.js'; export { groups } from './src/commands/index.js';",
        resolveDir: process.cwd(),
        loader: 'ts',
      },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function filesIn(folder) {
  try {
    return readdirSync(folder).map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

function pagesIn(folder) {
  return filesIn(folder).filter((path) => path.endsWith('.md'));
}
