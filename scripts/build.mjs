// Builds dist/ from src/ (or the folder given): split so that a command loads only what it uses.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { withLateImports } from './binary/late.mjs';
import {
  asCommonJs,
  helpers,
  withBuiltins,
  withLateModules,
  withListedExports,
  withNeededAlone,
} from './commonjs.mjs';
import { reportClient } from './report-client.mjs';
import { lateSegmenter, ourWidths } from './widths.mjs';

const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const outdir = process.argv[2] ?? 'dist';
/** Whether it is made for the program without Node (scripts/binary): as ES modules, which Bun compiles. */
const forBinary = process.argv[3] === '--binary';
/** What is read and compiled together, by the entries that need it. What an earlier one has, a later one shares. */
const packs = {
  // The launcher calls the loader as the first one. It also stands in recorded.js.
  'process.js': ['src/launch/loader.ts', 'src/process.ts', 'src/output/colors.ts'],
  'help.js': ['src/cli/parse/print-help.ts'],
  // What more than one of the next needs.
  'shared.js': [
    ...[
      'output/text',
      'output/json',
      'base/callers',
      'base/nearest',
      'base/name',
      'cli/parse/plain-values',
      'settings/duration',
    ],
    ...['settings/paths', 'base/hash', 'cli/run/origin'],
  ].map((name) => `src/${name}.ts`),
  // What the parser, completion and every change know of all resources.
  'model.js': ['src/model/resources.ts'],
  'words.js': ['src/completion/run-completion.ts'],
  // What is said of a failure, and of a flag that means nothing.
  'mistakes.js': ['src/cli/parse/mistakes.ts', 'src/output/messages.ts', 'src/cli/run/next-command.ts'],
  // The same of other words, and what programs are told.
  'suggest.js': ['src/cli/parse/suggest.ts', 'src/cli/run/next-commands.ts'],
  'parser.js': ['src/cli/parse/parser.ts', 'src/cli/parse/values.ts'],
  // What a read needs of which a record is there, and every request.
  'read.js': [
    ...['src/cli/run/pipeline.ts', 'src/api/client.ts', 'src/api/transport.ts'],
    ...['src/api/transport/socket-read.ts', 'src/api/transport/connector.ts', 'src/output/open-format.ts'],
  ],
  // What asks the platform before the organization as code is loaded.
  'ahead.js': ['src/commands/first-lists.ts'],
  // What all do that send what was typed: gathered, completed, checked.
  'input.js': ['cli/run/assemble', 'api/validate', 'base/text-encoding', 'base/formula'].map(
    (name) => `src/${name}.ts`,
  ),
  // What prints by columns, for other programs.
  'rows.js': ['src/output/formats.ts'],
  // What every declaration is made of, and that of spaces, which most paths name.
  'declarations.js': [
    ...['operation', 'resources/spaces'].map((name) => `src/api/${name}.ts`),
    'src/jobs/exposure.ts',
  ],
  // What every other command needs that asks the platform, beside its group and its resources.
  'request.js': [
    ...['run/whole-run', 'declare/define', 'declare/flags'].map((name) => `src/cli/${name}.ts`),
    ...['src/commands/loaders.ts', 'src/output/progress.ts'],
  ],
  // What prints more than one resource, and sends more than a few requests.
  'list.js': ['src/output/list-printing.ts', 'src/api/transport/pool.ts'],
  // What changes and plans both need.
  'rules.js': [
    ...['rules/builders', 'rules/shown', 'environment', 'state'].map((name) => `src/jobs/${name}.ts`),
    'src/cli/run/session-job.ts',
  ],
  // The way of a change, beside the rules of its resources.
  'change.js': [
    ...['src/cli/run/recorded-change.ts', 'src/jobs/rules/plain.ts', 'src/policy/audit/append.ts'],
  ],
  // Of the resources that change most, so that a change of one reads no plan.
  'spaces-rules.js': ['src/jobs/rules/spaces.ts'],
  'sites-rules.js': ['src/jobs/rules/sites.ts'],
  // Declarations that most groups share.
  'resources.js': ['api/resources/custom-fields', 'commands/shared/declarations'].map(
    (name) => `src/${name}.ts`,
  ),
  // People, and the lists of spaces, which the platform has of members alone.
  'people.js': ['api/organization-spaces', 'api/resources/orgs'].map((name) => `src/${name}.ts`),
  // All other declarations, which the organization as code and the platform within docs need.
  'operations.js': ['src/api/resources/index.ts'],
  'report.js': ['run-report', 'report'].map((name) => `src/cli/run/${name}.ts`),
  // What plans, reports and jobs have in common, and who may do what: most of the next use a part of it.
  'common.js': [
    ...['model/operations', 'snapshot/organization', 'jobs/actor', 'jobs/folder-names', 'files/asked-file'],
    ...['plans/schema', 'plans/lock', 'plans/hash', 'plans/counts', 'plans/show/title'],
    'cli/run/written-files',
  ].map((name) => `src/${name}.ts`),
  'access.js': ['person', 'levels', 'guards'].map((name) => `src/access/${name}.ts`),
  // The organization as code: what asks the platform, what reads the files, and what makes a plan or writes files.
  'organization.js': [
    'src/organization/kinds/index.ts',
    'src/commands/plan/index.ts',
    'src/commands/plan/make.ts',
    'src/organization/live/early.ts',
  ],
  'folder.js': [
    ...['src/commands/plan/compare.ts', 'src/organization/files/read.ts'],
    'src/base/longest-increasing.ts',
  ],
  'planner.js': [
    ...['src/organization/planner/plan.ts', 'src/organization/live/snapshot.ts'],
    ...['src/cli/run/make-plan.ts', 'src/plans/show/plan-text.ts'],
  ],
  'pull.js': ['src/commands/plan/pull.ts', 'src/organization/pull/pull.ts'],
  'pull-into.js': ['src/organization/pull/into-files.ts'],
  // What lists change requests of all spaces.
  'requests.js': ['src/commands/change-requests/index.ts'],
  'all-spaces.js': ['src/commands/change-requests/list.ts', 'src/cli/run/reading-of.ts'],
  // The platform within docs. Its handlers are files of their own, but for what most of them share.
  'sandbox.js': ['src/sandbox/start.ts', 'src/sandbox/handlers/spaces.ts'],
};
/** Sources of a folder, by their names. */
const inRoom = (room, names) => names.map((name) => `src/${room}/${name}.ts`);
/** What a read seldom needs, or only for its failure: made by the first use of what it exports (scripts/commonjs.mjs). */
const late = [
  ...inRoom('access/adaptive', ['claims']),
  ...inRoom('api', ['pages']),
  ...inRoom('api/transport', ['failure', 'json-text']),
  ...inRoom('base', [
    'callers',
    'exit-codes',
    'name',
    'nearest',
    'own-program',
    'redaction',
    'text-encoding',
    'turn',
  ]),
  ...inRoom('cli/declare', ['outline', 'ways']),
  ...inRoom('cli/parse', ['plain-values']),
  ...inRoom('cli/run', ['failed']),
  ...inRoom('output', ['console-printer', 'json', 'printer', 'sink', 'text']),
  ...inRoom('settings', ['duration', 'keychain']),
];
/** The same without Node, where each takes a call of its own: what neither a plain read nor every failure uses. */
const lateWithoutNode = [
  ...inRoom('access/adaptive', ['claims']),
  ...inRoom('api', ['pages']),
  ...inRoom('api/transport', ['failure']),
  ...inRoom('base', ['name', 'nearest', 'text-encoding']),
  ...inRoom('cli/declare', ['outline']),
  ...inRoom('settings', ['duration', 'keychain']),
];
/** What these need as well as others, so that it is no part of them. */
const apart = ['src/api/transport/pacing.ts', 'src/base/ci.ts'];
/** What a line of a record loads, as one file (src/launch/launch.ts). */
// Of a file of 128 KB and more, V8 does not copy the text while it collects garbage.
const joined = {
  'recorded.js': ['process.js', 'read.js', 'shared.js'],
  'change.js': ['change.js', 'input.js', 'rules.js', 'rows.js'],
};
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  outdir,
  write: false,
  // Packages with native or WebAssembly parts stay outside; the rest is bundled for a fast start.
  external: ['@napi-rs/keyring', ...(forBinary ? [] : ['jq-wasm'])],
  ...(forBinary && { alias: { 'jq-wasm': 'jq-wasm/inline' } }),
  define: {
    __DOCS_VERSION__: JSON.stringify(version),
    __DOCS_BUILT__: 'true',
    ...(forBinary && { __DOCS_BINARY__: 'true' }),
    // The files become CommonJS, where these stand for the file itself.
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
  legalComments: 'none',
  logLevel: 'warning',
};

// What is packed has the modes of the files: the same for everybody.
process.umask(0o022);
rmSync(outdir, { recursive: true, force: true });
for (const folder of ['outlines', 'records']) mkdirSync(join(outdir, folder), { recursive: true });
writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
const modules = await programModules();
await writeOutlines(modules);
modules.delete('outlines.js');
if (forBinary) writeModules(modules);
else {
  const all = new Map([['loader.js', await loader()], ...modules]);
  writeFiles(all, filesOf(all));
  await writeLaunch();
}
await writeReportClient();

/**
 * The program, by name of its modules. Only ES modules can be split, and only CommonJS can be compiled
 * from a cache on Node 20 and loads without the cost of a second loader: so it is split as the one and
 * turned into the other.
 */
async function programModules() {
  const lateHere = forBinary ? lateWithoutNode : late;
  const ownFiles = [...lateHere, ...apart];
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: [forBinary ? 'src/binary.ts' : 'src/process.ts', 'src/commands/outlines.ts', ...ownFiles],
    splitting: true,
    format: 'esm',
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    metafile: true,
    plugins: [
      ...[namedExportsOfCommonJs(), withoutUnused(), schemasInside(), ourWidths(), lateSegmenter()],
      await valuesAsData(),
    ],
  });
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const found = new Map();
  for (const { path, text } of outputFiles) {
    const { inputs, imports, entryPoint } = outputs.get(basename(path));
    const needs = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
    found.set(basename(path), {
      text,
      code: await asCommonJs(text),
      inputs: Object.keys(inputs),
      needs: needs.map((needed) => basename(needed.path)),
      entryPoint,
    });
  }
  const codes = new Map([...found].map(([name, { code }]) => [name, code]));
  const isChunk = (name) => found.get(name).entryPoint === undefined;
  const isLate = (name) => found.get(name)?.inputs.some((input) => lateHere.includes(input));
  for (const [name, code] of withNeededAlone(withListedExports(codes, isChunk))) {
    const module = found.get(name);
    module.code = withLateModules(code, isLate);
    if (forBinary) module.text = await withLateImports(module.text, isLate);
  }
  // Each is a chunk of its own, which its entry only passes on.
  if (!forBinary)
    for (const [name, { entryPoint }] of found) if (ownFiles.includes(entryPoint)) found.delete(name);
  return found;
}

/** What the launcher calls first of the program. It requires nothing of it, so it is not split. */
async function loader() {
  const entryPoint = 'src/launch/loader.ts';
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: [entryPoint],
    format: 'esm',
    metafile: true,
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const [{ text }] = outputFiles;
  return { text, code: await asCommonJs(text), inputs: Object.keys(inputs), needs: [], entryPoint };
}

/** By name of a module, the file that it stands in with others. */
function filesOf(modules) {
  const taken = new Map();
  const take = (name, file) => {
    if (taken.has(name)) return;
    taken.set(name, file);
    for (const needed of modules.get(name).needs) take(needed, file);
  };
  for (const [file, entries] of Object.entries(packs)) {
    for (const entry of entries) take(nameOf(modules, entry), file);
  }
  return taken;
}

/** The module that is loaded for a file of the sources; of one that is never loaded alone, that which it is part of. */
function nameOf(modules, entry) {
  const all = [...modules];
  const [name] =
    all.find(([, { entryPoint }]) => entryPoint === entry) ??
    all.find(([, { inputs }]) => inputs.includes(entry)) ??
    [];
  if (name === undefined) throw new Error(`${entry} is not part of the program.`);
  return name;
}

/**
 * Each file of the build: names of modules and their functions in turn, each with the names of what it was made of.
 * Where a module stands is part of its name, so that the loader needs no table. The file is a module of CommonJS and
 * a script alike, and no object: of one with a hundred functions V8 makes a hundred shapes.
 */
function writeFiles(modules, fileOf) {
  const placed = (name) => (fileOf.has(name) ? `${fileOf.get(name)}/${name}` : name);
  const files = new Map();
  for (const name of modules.keys()) {
    const file = fileOf.get(name) ?? name;
    files.set(file, [...(files.get(file) ?? []), name]);
  }
  for (const [file, parts] of Object.entries(joined))
    files.set(
      file,
      parts.flatMap((part) => files.get(part) ?? []),
    );
  for (const [file, names] of files) {
    const functions = names.map((name) => {
      const { inputs, code } = modules.get(name);
      const body = code
        .replaceAll(/\brequire\("\.\/([^"]+)"\)/g, (_, needed) => `require("${placed(needed)}")`)
        .replaceAll(/\b__filename\b/g, `(__dirname+"/${file}")`);
      const head = 'function(require,module,__dirname)';
      return `${JSON.stringify(placed(name))},${head}{// Of ${inputs.join(' ')}\n${body}}`;
    });
    const pack = `(()=>{${helpers}return[${functions.join(',\n')}]})()`;
    writeFileSync(
      join(outdir, file),
      `(pack=>typeof module==="object"?module.exports=pack:pack)(${pack});\n`,
    );
  }
}

/** Each module as a file of its own. What stands for the file in CommonJS is declared in it. */
function writeModules(modules) {
  writeFileSync(join(outdir, 'package.json'), '{"type":"module"}\n');
  const places = 'const __dirname = import.meta.dirname, __filename = import.meta.filename;\n';
  for (const [name, { text }] of modules) {
    // `require` is there in Bun; to make one by `node:module` takes a fiftieth of a short run.
    const head = /\b__(dir|file)name\b/.test(text) ? places : '';
    writeFileSync(join(outdir, name), head + text);
  }
}

/**
 * What starts the program: the launcher, in a folder beside the others, and what it needs where the code cache does not
 * have the first file. The launcher is no file of the others, which Node would have to find.
 */
async function writeLaunch() {
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: ['src/launch/launch.ts', 'src/launch/load.ts'],
    format: 'cjs',
    minifyWhitespace: true,
    minifySyntax: true,
    define: { ...shared.define, __DOCS_BUILD__: JSON.stringify(hashOf(outdir)) },
    metafile: true,
  });
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [resolve(path), output]));
  const bin = join(outdir, '..', 'bin');
  mkdirSync(bin, { recursive: true });
  for (const { path, text } of outputFiles) {
    const code = `// Of ${Object.keys(outputs.get(path).inputs).join(' ')}\n${withBuiltins(text)}`;
    if (basename(path) === 'load.js') writeFileSync(path, code);
    else writeFileSync(join(bin, 'docs.js'), `#!/usr/bin/env node\n${code}`, { mode: 0o755 });
  }
  writeFileSync(join(bin, 'package.json'), '{"type":"commonjs"}\n');
}

/** Of what the files of a folder have in them. */
function hashOf(folder) {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.js')) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}

/** What runs in the pages of reports and of the sandbox: a file of its own, read only for one of them. */
async function writeReportClient() {
  const { inputs: _, ...client } = await reportClient();
  writeFileSync(join(outdir, 'report-client.json'), JSON.stringify(client));
}

/** The command table, a record of each read, and the routes of the sandbox, as data, made from the declarations by the program itself. */
async function writeOutlines(modules) {
  const folder = resolve(outdir, 'maker');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  for (const [name, { code }] of modules) writeFileSync(join(folder, name), helpers + code);
  const { allOutlines, allRecords, recordFile, allRoutes, routesFile } = require(join(folder, 'outlines.js'));
  for (const [name, outline] of await allOutlines()) {
    writeFileSync(join(outdir, 'outlines', `${basename(name)}.json`), asciiJson(outline));
  }
  for (const [path, record] of await allRecords())
    writeFileSync(join(outdir, recordFile(path)), asciiJson(record));
  writeFileSync(join(outdir, routesFile), JSON.stringify(allRoutes()));
  rmSync(folder, { recursive: true });
}

/** One character beyond Latin-1 would double the memory of a whole text and of parsing it. */
function asciiJson(value) {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Leaves out what packages load for what docs never asks of them: commander starts no program of ours,
 * cli-table3 colours nothing. Each would cost as much at a start as the package itself.
 */
function withoutUnused() {
  const unused = {
    commander: ['node:child_process'],
    'cli-table3': ['@colors/colors/safe'],
  };
  const namespace = 'unused';
  return {
    name: 'without-unused',
    setup({ onResolve, onLoad }) {
      for (const [user, left] of Object.entries(unused)) {
        const from = new RegExp(`[\\\\/]node_modules[\\\\/]${user}[\\\\/]`);
        const filter = new RegExp(`^(?:${left.join('|')})$`);
        onResolve({ filter }, ({ importer, path }) =>
          from.test(importer) ? { path, namespace } : undefined,
        );
      }
      onLoad({ filter: /.*/, namespace }, () => ({ contents: 'module.exports = {};' }));
    },
  };
}

/**
 * Modules that declare values and nothing else, as what these come to. To make the registry of its declarations takes a
 * tenth of a short run; a literal as long as that is read as JSON sooner. V8 makes a layout for each member of an object
 * that none has had before, so flags have the same members in the same order.
 */
async function valuesAsData() {
  const written = {
    'src/model/registry.ts': (value) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`,
    'src/cli/declare/global-options.ts': alike,
    'src/settings/setting-keys.ts': alike,
  };
  const contents = new Map();
  for (const [entryPoint, asCode] of Object.entries(written)) {
    const { outputFiles } = await build({ ...shared, entryPoints: [entryPoint], format: 'esm' });
    const made = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
    const values = Object.entries(made).map(([name, value]) => `export const ${name} = ${asCode(value)};\n`);
    contents.set(resolve(entryPoint), values.join(''));
  }
  return {
    name: 'values-as-data',
    setup: ({ onLoad }) =>
      onLoad({ filter: /[\\/](?:registry|global-options|setting-keys)\.ts$/ }, ({ path }) => {
        const found = contents.get(path);
        return found === undefined ? undefined : { contents: found };
      }),
  };
}

/** A list of objects as code, in which all have the members of each. */
function alike(objects) {
  const keys = [...new Set(objects.flatMap(Object.keys))];
  const all = objects.map((one) => keys.map((key) => `${key}:${JSON.stringify(one[key]) ?? 'undefined'}`));
  return `[${all.map((members) => `{${members}}`)}]`;
}

/** The validator of OpenAPI documents reads its schemas from files beside it; here they are part of it. */
function schemasInside() {
  const reading = /importJSON\(`\.\/schemas\/v\$\{version\}\/schema\.json`\)/;
  return {
    name: 'schemas-inside',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]openapi-schema-validator[\\/]index\.js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!reading.test(text)) throw new Error(`${path} reads its schemas in another way.`);
        const versions = ['2.0', '3.0', '3.1', '3.2'];
        const imports = versions
          .map((v, at) => `import s${at} from './schemas/v${v}/schema.json';\n`)
          .join('');
        const table = `({ ${versions.map((v, at) => `'${v}': s${at}`).join(', ')} })`;
        return { contents: imports + text.replace(reading, `${table}[version]`) };
      });
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
        const named = await commonJsNames(path);
        return named ? { path: `${path}.mjs`, namespace, pluginData: path } : undefined;
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
