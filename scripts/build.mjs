// Builds dist/ from src/ (or the folder given): one entry, split so that a command loads only what it uses.
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
// Packages with native or WebAssembly parts stay outside; the rest is bundled for a fast start.
const external = ['libsql', '@napi-rs/keyring', 'jq-wasm'];

const outdir = process.argv[2] ?? 'dist';
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: ['src/process.ts'],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  chunkNames: 'chunks/[name]-[hash]',
  external,
  plugins: [namedExportsOfCommonJs()],
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  define: { __DOCS_VERSION__: JSON.stringify(version) },
  legalComments: 'none',
  logLevel: 'warning',
});

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
        if (kind !== 'dynamic-import' || from === namespace || external.includes(path)) return;
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
