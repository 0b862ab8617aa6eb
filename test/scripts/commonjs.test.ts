import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import {
  withBuiltins,
  withLateModules,
  withListedExports,
  withNeededAlone,
} from '../../scripts/commonjs.mjs';

/** What a file of the launcher exports, as `npm run build` turns it into CommonJS. */
function exportsOf(text: string): { code: string; exported: unknown } {
  const options = { format: 'cjs', platform: 'node', minifyWhitespace: true, minifySyntax: true } as const;
  const code = withBuiltins(transformSync(text, options).code);
  const module = { exports: {} as { found?: unknown } };
  const modules: Record<string, unknown> = { 'node:path': { join: () => 'joined', sep: '/' } };
  new Function('module', 'require', code)(module, (name: string) => modules[name]);
  return { code, exported: module.exports.found };
}

test.each([
  ['its default export', "import path from 'node:path'; export const found = path.join() + path.sep;"],
  ['names of it', "import { join, sep } from 'node:path'; export const found = join() + sep;"],
  ['both', "import path, { join } from 'node:path'; export const found = join() + path.sep;"],
  ['all of it', "import * as path from 'node:path'; export const found = path.join() + path.sep;"],
])('a file of the launcher can use %s of a module of Node', (_, text) => {
  expect(exportsOf(text).exported).toBe('joined/');
});

test('of the default export alone nothing else is copied', () => {
  const { code } = exportsOf("import path from 'node:path'; export const found = path.join();");
  expect(code).toContain('import_node_path={default:require("node:path")}');
});

test('chunks export lists, and what requires them takes members by their index', () => {
  const modules = new Map([
    ['chunk-A.js', 'var one=1,two=[2];module.exports={one:one,two:two};'],
    ['chunk-B.js', 'let many=0;module.exports={get many(){return many}};'],
    [
      'entry.js',
      'var import_chunk_A=require("./chunk-A.js"),import_chunk_B=require("./chunk-B.js");' +
        'module.exports={all:[import_chunk_A.one,...import_chunk_A.two,import_chunk_B.many],one:import_chunk_A.one};',
    ],
  ]);
  const codes = withListedExports(modules, (name) => name !== 'entry.js');
  const load = (name: string): Record<string, unknown> => {
    const module = { exports: {} };
    const list = (...all: unknown[]) => all;
    new Function('module', 'require', '__list', codes.get(name.replace('./', '')) ?? '')(module, load, list);
    return module.exports;
  };
  expect(codes.get('chunk-A.js')).toContain('__list(one,two)');
  expect(load('entry.js')).toEqual({ all: [1, 2, 0], one: 1 });
  const wrong = modules.set('entry.js', 'var import_chunk_A=require("./chunk-A.js");import_chunk_A.three;');
  expect(() => withListedExports(wrong, (name) => name !== 'entry.js')).toThrow('import_chunk_A.three');
});

test('a module is not required again for what another one requires, and names are shared', () => {
  const modules = new Map([
    ['chunk-A.js', 'var one=1;module.exports=__list(one);'],
    ['chunk-B.js', 'var import_chunk_A=require("./chunk-A.js");module.exports=__list(import_chunk_A[0]);'],
    ['chunk-C.js', 'module.exports=__list();'],
    [
      'entry.js',
      'var import_chunk_B=require("./chunk-B.js"),import_chunk_A=require("./chunk-A.js"),' +
        'import_chunk_C=require("./chunk-C.js");module.exports={one:import_chunk_B[0]};',
    ],
  ]);
  const codes = withNeededAlone(modules);
  expect(codes.get('entry.js')).toBe(
    'var import_0=require("./chunk-B.js"),import_1=require("./chunk-C.js");module.exports={one:import_0[0]};',
  );
  expect(codes.get('chunk-B.js')).toBe(
    'var import_0=require("./chunk-A.js");module.exports=__list(import_0[0]);',
  );
});

test('a late module is required by its first use, once', () => {
  const code =
    'var import_0=require("./chunk-A.js"),import_01=require("./chunk-B.js");' +
    'module.exports={early:import_01[0],late:()=>import_0[0]+(0,import_0[1])(import_01[0])};';
  const required: string[] = [];
  const module = { exports: {} as { early: number; late(): number } };
  const modules: Record<string, unknown> = { './chunk-A.js': [1, (n: number) => n], './chunk-B.js': [2] };
  new Function(
    'module',
    'require',
    withLateModules(code, (name) => name === 'chunk-A.js'),
  )(module, (name: string) => {
    required.push(name);
    return modules[name];
  });
  expect(required).toEqual(['./chunk-B.js']);
  expect([module.exports.late(), module.exports.late()]).toEqual([3, 3]);
  expect(required).toEqual(['./chunk-B.js', './chunk-A.js']);
});
