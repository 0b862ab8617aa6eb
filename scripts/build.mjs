// Builds dist/ from src/ (or the folder given): split so that a command loads only what it uses.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { build, transform } from 'esbuild';

const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const outdir = process.argv[2] ?? 'dist';
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  outdir,
  write: false,
  // Packages with native or WebAssembly parts stay outside; the rest is bundled for a fast start.
  external: ['libsql', '@napi-rs/keyring', 'jq-wasm'],
  define: {
    __DOCS_VERSION__: JSON.stringify(version),
    __DOCS_BUILT__: 'true',
    // The files become CommonJS, where these stand for the file itself.
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
  legalComments: 'none',
  logLevel: 'warning',
};

rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
await writeProgram();
await writeLaunch();
await writeOutlines();

/**
 * The program. Only ES modules can be split, and only CommonJS can be compiled from a cache on Node 20
 * and loads without the cost of a second loader: so it is split as the one and turned into the other.
 */
async function writeProgram() {
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: ['src/process.ts', 'src/commands/outlines.ts'],
    splitting: true,
    format: 'esm',
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    metafile: true,
    plugins: [namedExportsOfCommonJs(), withoutProcesses('commander')],
  });
  for (const { path, text } of outputFiles) write(path, await asCommonJs(text), metafile);
}

/** Writes a file of the build, with the names of what it was made of above it. */
function write(path, code, { outputs }) {
  const [, { inputs }] = Object.entries(outputs).find(([name]) => resolve(name) === path);
  writeFileSync(path, `// Of ${Object.keys(inputs).join(' ')}\n${code}`);
}

async function asCommonJs(text) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    // `import()` becomes `require`, later.
    supported: { 'dynamic-import': false },
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
  });
  // The loader reads files without decoding them, so they are ASCII: what is left are regular expressions.
  return code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What starts the program: one file. */
async function writeLaunch() {
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: ['src/launch/launch.ts'],
    format: 'cjs',
    minifyWhitespace: true,
    metafile: true,
  });
  for (const { path, text } of outputFiles) write(path, text, metafile);
}

/** The command table as data, made from the declarations by the build itself. */
async function writeOutlines() {
  const folder = join(outdir, 'outlines');
  mkdirSync(folder);
  const maker = resolve(outdir, 'outlines.js');
  const { outlines } = require(maker);
  for (const [name, outline] of await outlines()) {
    writeFileSync(join(folder, `${basename(name)}.json`), JSON.stringify(outline));
  }
  rmSync(maker);
}

/**
 * Leaves `node:child_process` out of a package that loads it on start and that docs never lets start a
 * process: it takes as long to load as everything else of the parser.
 */
function withoutProcesses(name) {
  const from = new RegExp(`[\\\\/]node_modules[\\\\/]${name}[\\\\/]`);
  return {
    name: 'without-processes',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
        from.test(importer) ? { path: name, namespace: 'without-processes' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'without-processes' }, () => ({ contents: 'module.exports = {};' }));
    },
  };
}

/**
 * A dynamic import of a CommonJS package gives, once split off, only `default`. Node gives its named
 * exports too, and the types say so; here each such package gets a module that exports them by name.
 */
function namedExportsOfCommonJs() {
  const namespace = 'commonjs';
  return {
    name: 'named-exports-of-commonjs',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[@a-z]/ }, async ({ path, kind, namespace: from }) => {
        if (kind !== 'dynamic-import' || from === namespace || shared.external.includes(path)) return;
        return (await commonJsNames(path)) && { path: `${path}.mjs`, namespace, pluginData: path };
      });
      onLoad({ filter: /.*/, namespace }, async ({ pluginData }) => ({
        contents: `import all from ${JSON.stringify(pluginData)};\nexport default all;\nexport const { ${await commonJsNames(pluginData)} } = all;`,
        resolveDir: process.cwd(),
      }));
    },
  };
}

/** The names Node exports for a CommonJS package, as a list; undefined for other modules. */
async function commonJsNames(name) {
  const exported = Object.keys(await import(name));
  const isCommonJs = require.cache[require.resolve(name)] !== undefined;
  const names = exported.filter(
    (key) => key !== 'default' && key !== 'module.exports' && /^[A-Za-z_$][\w$]*$/.test(key),
  );
  return isCommonJs ? names.join(', ') : undefined;
}
