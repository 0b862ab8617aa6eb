// Builds dist/ from src/: one entry, split so that a command loads only what it uses.
import { readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/process.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  chunkNames: 'chunks/[name]-[hash]',
  // Packages with native or WebAssembly parts stay outside; the rest is bundled for a fast start.
  external: ['libsql', '@napi-rs/keyring', 'jq-wasm'],
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  legalComments: 'none',
  define: { __DOCS_VERSION__: JSON.stringify(version) },
  logLevel: 'warning',
});
