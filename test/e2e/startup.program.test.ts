import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../faults/server.js';
import { freshHome, type Home, program } from './program.js';

/**
 * What a start loads: the modules inside the files of the build that Node has read, as its own coverage
 * lists them. Start-up is what people feel (DESIGN.md, "Choices made").
 */

let home: Home;
beforeEach(() => {
  home = freshHome({}, { compiled: false });
});
afterEach(() => home.remove());

interface Loaded {
  code: number | null;
  /** Packages, by name. */
  packages: string[];
  /** Modules of `src`, as paths inside it. */
  modules: string[];
}

async function loaded(words: readonly string[], env: Record<string, string> = {}): Promise<Loaded> {
  const folder = join(home.path, `coverage-${words.join('_').replaceAll(/\W/g, '')}`);
  mkdirSync(folder);
  const { code } = await home.run(words, { env: { ...env, NODE_V8_COVERAGE: folder } });
  const inside = readdirSync(folder).flatMap((name) => modulesIn(join(folder, name)));
  const packages = new Set(
    inside.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  const own = inside.flatMap((path) => /^src\/(.*)$/.exec(path)?.[1] ?? []);
  return { code, packages: [...packages].sort(), modules: [...new Set(own)].sort() };
}

/** A file as coverage reports it: its functions, and how often each was called. */
interface Covered {
  url: string;
  functions: { ranges: { startOffset: number; count: number }[] }[];
}

/** The modules of Node that a command which succeeds loads. */
async function loadedOfNode(words: readonly string[]): Promise<string[]> {
  const [hook, list] = ['hook.cjs', 'list.txt'].map((name) => join(home.path, name));
  const write = `require('node:fs').writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join('\\n'))`;
  writeFileSync(`${hook}`, `process.on('exit', () => ${write});`);
  const { code } = await home.run(words, { env: { NODE_OPTIONS: `--require ${hook}` } });
  expect(code).toBe(0);
  return readFileSync(`${list}`, 'utf8')
    .split('\n')
    .map((name) => name.replace('NativeModule ', ''));
}

/** The modules that one report of coverage says were run. */
function modulesIn(report: string): string[] {
  const { result } = JSON.parse(readFileSync(report, 'utf8')) as { result: Covered[] };
  return result.flatMap(({ url, functions }) => {
    const file = url.startsWith('file:') ? fileURLToPath(url) : isAbsolute(url) ? url : undefined;
    return file === undefined ? [] : modulesOf(file, functions);
  });
}

/** Of a file of the build, the modules whose function was called; each names what it was made of. */
function modulesOf(file: string, functions: Covered['functions']): string[] {
  const build = dirname(dirname(program));
  if (!file.startsWith(build + sep)) return file.includes('node_modules') ? [packagePath(file)] : [];
  const text = readFileSync(file, 'utf8');
  const called = functions.flatMap(({ ranges: [range] }) => (range?.count ? [range.startOffset] : []));
  const names = [0, ...called].flatMap(
    (at) => /^(?:#!.*\n|function\([^)]*\){)?\/\/ Of (.*)/.exec(text.slice(at))?.[1] ?? [],
  );
  return names
    .join(' ')
    .split(' ')
    .map((name) => name.replace(/^\w+:/, ''));
}

function packagePath(file: string): string {
  return file.slice(file.lastIndexOf(`node_modules${sep}`)).replaceAll(sep, '/');
}

/** Modules that no start needs which sends nothing, reads no settings and prints only text. */
const notAtStart = ({ modules }: Loaded): string[] =>
  modules.filter(
    (path) =>
      path !== 'settings/paths.ts' && /^(api|settings|jobs|sandbox)\/|^output\/(console-)?printer/.test(path),
  );

describe('what is loaded', () => {
  it('is what starts the program and no more, for --version', async () => {
    const { code, packages, modules } = await loaded(['--version']);
    expect({ code, packages, modules }).toEqual({
      code: 0,
      packages: [],
      modules: ['base/version.ts', 'launch/kept.ts', 'launch/launch.ts', 'launch/pack.ts'],
    });
  });

  it.skipIf('enableCompileCache' in nodeModule)(
    'is nothing that mends the code cache, once it is whole',
    async () => {
      const words = ['spaces', 'get', 's1', '--titel', 'x'];
      await loaded(words);
      expect(
        (await loaded([...words, 'again'])).modules.filter((path) => path.startsWith('launch/')),
      ).toEqual(['launch/kept.ts', 'launch/launch.ts', 'launch/loader.ts', 'launch/pack.ts']);
    },
  );

  it.each([
    ['docs', ['--help']],
    ['a command', ['help', 'content', 'pages', 'get']],
  ])('is neither the parser nor the declarations, for the help of %s', async (_, words) => {
    const start = await loaded(words);
    expect({ code: start.code, packages: start.packages }).toEqual({ code: 0, packages: [] });
    expect(notAtStart(start)).toEqual([]);
    expect(start.modules.filter((path) => /guide|topics/.test(path))).toEqual([]);
  });

  it('is none of the streams of Node, for help in a pipe', async () => {
    const found = await loadedOfNode(['--help']);
    expect(found.filter((name) => name === 'stream')).toEqual([]);
  });

  it('is no parser of Markdown for a page of the guide in a pipe', async () => {
    const start = await loaded(['help', 'guide', 'offboarding']);
    expect({ code: start.code, packages: start.packages }).toEqual({ code: 0, packages: [] });
    expect(start.modules).toContain('cli/help/guide.ts');
  });

  it('is no printer, no settings and nothing of the network for completion', async () => {
    const root = await loaded(['__complete', 'mem']);
    expect(root).toMatchObject({ code: 0, packages: [] });
    expect(notAtStart(root)).toEqual([]);
    for (const words of [
      ['__complete', 'members', 'list', '--role', ''],
      ['__complete', 'members', 'update', '--'],
    ]) {
      const start = await loaded(words);
      expect({ words, ...start, modules: [] }).toEqual({ words, code: 0, modules: [], packages: [] });
      expect(start.modules).not.toContain('output/console-printer.ts');
      expect(start.modules).not.toContain('settings/settings.ts');
    }
  });

  it('is no more than settings and cache for ids, whatever process asks for them', async () => {
    const env = { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 'token', DOCS_ORG: 'o1' };
    const start = await loaded(['__complete', 'teams', 'get', ''], env);
    expect(start.packages).not.toEqual(expect.arrayContaining(heavy));
    expect(start.modules).toContain('settings/title-cache.ts');
  });

  it.each([
    ['an unknown flag', ['members', 'list', '--rol', 'admin']],
    ['a value that does not fit', ['members', 'list', '--limit', 'many', '--org', 'o1']],
  ])('is nothing heavy for a usage error: %s', async (_, words) => {
    const { code, packages } = await loaded(words);
    expect(code).toBe(2);
    expect(packages.filter((name) => heavy.includes(name))).toEqual([]);
  });

  it.each([
    ['one resource', ['spaces', 'get', 's1', '--json'], { object: 'space', id: 's1' }],
    [
      'a list',
      ['members', 'list', '--json'],
      { items: [{ object: 'member', id: 'u1' }], next: {}, count: 1 },
    ],
  ])('is no parser, no group, no schema and no HTTP of Node for a plain read: %s', async (_, words, json) => {
    const server = await startServer(() => ({ json }));
    const env = { DOCS_BASE_URL: server.url, DOCS_TOKEN: 'token', DOCS_ORG: 'o1' };
    const { code, modules, packages } = await loaded(words, env).finally(() => server.close());
    expect({ code, packages }).toEqual({ code: 0, packages: [] });
    expect(modules).toContain('api/transport/socket-read.ts');
    expect(
      modules.filter((path) =>
        /^(?:commands\/(?!index)|api\/resources|model|jobs|policy)|type\.ts|shapes|validate|parser|pool|whole-run/.test(
          path,
        ),
      ),
    ).toEqual([]);
  });

  it('is what it needs for a read, a change and a local command', async () => {
    const env = { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 'token', DOCS_ORG: 'o1' };
    const read = await loaded(['teams', 'list', '--no-retry'], env);
    expect(read.modules).toContain('api/transport/socket-read.ts');
    expect(read.packages.filter((name) => notForReads.includes(name))).toEqual([]);
    const preview = await loaded(['teams', 'create', '--title', 'x', '--dry-run'], env);
    expect(preview.code).toBe(0);
    expect(preview.modules).not.toContain('api/transport/socket-read.ts');
    const local = await loaded(['config', 'path']);
    expect(local.code).toBe(0);
    expect(local.packages.filter((name) => heavy.includes(name))).toEqual([]);
    const proxied = { ...env, DOCS_BASE_URL: 'https://platform.test', HTTPS_PROXY: 'http://127.0.0.1:9' };
    expect((await loaded(['teams', 'get', 't1', '--no-retry'], proxied)).packages).toContain('undici');
    for (const start of [read, preview, local])
      expect(start.modules.filter((path) => path.startsWith('sandbox/'))).toEqual([]);
  });

  it('is the sandbox for --sandbox', async () => {
    const start = await loaded(['--sandbox', 'teams', 'list']);
    expect(start.code).toBe(0);
    expect(start.modules).toEqual(
      expect.arrayContaining(['sandbox/server/local.ts', 'sandbox/store/driver.ts']),
    );
    expect(start.modules).not.toContain('sandbox/server/http.ts');
    expect(start.packages.filter((name) => ['fastify', 'libsql', 'detect-libc'].includes(name))).toEqual([]);
    expect(start.packages).not.toEqual(
      expect.arrayContaining(['ora', 'yaml', 'jq-wasm', '@inquirer/prompts']),
    );
    expect(start.packages.filter((name) => forImports.includes(name))).toEqual([]);
  });

  it.skipIf('enableCompileCache' in nodeModule)(
    'is no module of Node for --sandbox that one resource does not need',
    async () => {
      const words = ['--sandbox', 'orgs', 'list'];
      await loaded(words); // Makes the data.
      const unneeded = [
        'http',
        'crypto',
        'zlib',
        'perf_hooks',
        'fs/promises',
        'internal/modules/esm/resolve',
      ];
      const found = await loadedOfNode(words);
      expect(found).toContain('fs');
      expect(found.filter((name) => unneeded.includes(name))).toEqual([]);
    },
  );

  it('is nothing of the pages of the sandbox before somebody visits them', async () => {
    const { code, modules } = await loaded(['sandbox', 'exec', '--seed', 'tiny', '--', 'true']);
    expect(code).toBe(0);
    expect(modules).toContain('sandbox/server/server.ts');
    expect(modules.filter((path) => path.startsWith('browser/'))).toEqual([]);
  });

  it('is nothing of policies where there is none', async () => {
    const env = { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 'token' };
    const { modules } = await loaded(['orgs', 'list', '--no-retry'], env);
    expect(modules).toContain('cli/run/session.ts');
    expect(modules.filter((path) => /^policy\/|gate/.test(path))).toEqual([]);
  });
});

/** Each costs about as much as everything else together. */
const heavy = ['undici', 'conf', 'ora', 'ajv', 'jq-wasm', 'yaml', '@inquirer/prompts'];
const notForReads = ['undici', 'conf', 'ora', 'jq-wasm', 'yaml', '@inquirer/prompts', 'csv-stringify'];
/** What imports of content into the sandbox are read with. */
const forImports = ['undici', 'parse5', 'hast-util-to-mdast', 'mdast-util-to-markdown', 'yauzl', 'yaml'];
