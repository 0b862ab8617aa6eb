// Turns the ES modules of the build into functions of CommonJS.
import { builtinModules } from 'node:module';
import { transform } from 'esbuild';

/** What esbuild puts before a module, up to and with its exports. */
const before =
  /^((?:"use strict";)?var (?:__create|__defProp)=.*?__toCommonJS=[\w$]+=>__copyProps\(__defProp\(\{\},"__esModule",\{value:!0\}\),[\w$]+\);)var stdin_exports=\{\};__export\(stdin_exports,\{(.*?)\}\);module\.exports=__toCommonJS\(stdin_exports\);/s;
/** What it puts at the end, for ES modules that import the file. */
const annotation = /0&&\(module\.exports=\{[\w$,:"]*\}\);?$/;
const builtins = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
const wrapped = /__toESM\(require\("([^"]+)"\)(?:,1)?\)/g;

/**
 * The body of a function that requires and exports what an ES module imports and exports.
 *
 * esbuild defines each export as a getter, twice, and copies each module that is imported: with many small modules
 * that costs as much as what they do. The modules of a build import each other without circles, so their exports
 * are an object of values; only of what is assigned again it has getters.
 */
export async function asCommonJs(text) {
  const { code: made } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    // `import()` becomes `require`, later.
    supported: { 'dynamic-import': false },
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
  });
  const code = withPlainExports(made.trim());
  // The loader reads files without decoding them, so they are ASCII: what is left are regular expressions.
  return code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function withPlainExports(code) {
  const [head, helpers, list] = before.exec(code) ?? [];
  if (head === undefined) return code;
  const body = code.slice(head.length);
  const exported = [...list.matchAll(/("[^"]*"|[\w$]+):\(\)=>([\w$.]+)/g)];
  if (exported.map(([pair]) => pair).join(',') !== list) throw new Error(`Unknown exports: ${list}`);
  const members = exported.map(([, key, value]) =>
    isAssignedAgain(value, body) ? `get ${key}(){return ${value}}` : `${key}:${value}`,
  );
  const plain = body.replace(annotation, '').replaceAll(wrapped, (whole, name) => {
    if (name.startsWith('./')) return `require("${name}")`;
    return builtins.has(name) ? `__builtin(require("${name}"))` : whole;
  });
  const needs = plain.includes('__toESM(') ? helpers : '';
  const end = plain.endsWith(';') ? '' : ';';
  return `${needs}${plain}${end}module.exports={${members.join(',')}};`;
}

/** Whether a binding may change after its declaration. */
function isAssignedAgain(name, code) {
  const assigned = new RegExp(
    `(?<![.\\w$])${name.replaceAll('$', '\\$')}(?:=(?![=>])|[-+*/|&?]+=|\\+\\+|--)`,
    'g',
  );
  return !name.includes('.') && [...code.matchAll(assigned)].length > 1;
}

const named = /module\.exports=\{((?:[\w$]+:[\w$.]+,?)*)\};$/;
const required = /([\w$]+)=require\("\.\/([^"]+)"\)/g;

/**
 * Chunks, which only other modules of the build require, export a list: V8 makes a hidden class of each property of an
 * object, and looks names up slowly in code that runs once.
 * @param modules code by name, as `asCommonJs` makes it
 * @param isChunk whether nothing but `require` names a module's exports
 * @returns the code, by name
 */
export function withListedExports(modules, isChunk) {
  const lists = new Map();
  for (const [name, code] of modules) {
    const [, members] = (isChunk(name) && named.exec(code)) || [];
    if (members)
      lists.set(
        name,
        members.split(',').map((member) => member.split(':')),
      );
  }
  return new Map([...modules].map(([name, code]) => [name, listed(code, lists.get(name), lists)]));
}

function listed(code, own, lists) {
  const values = own?.map(([, value]) => value).join(',');
  const plain = own ? code.replace(named, () => `module.exports=__list(${values});`) : code;
  const variables = new Map(
    [...plain.matchAll(required)].map(([, variable, name]) => [variable, lists.get(name)]),
  );
  return plain.replaceAll(/(?<![\w$]|[^.]\.)(import_[\w$]+)\.([\w$]+)/g, (whole, variable, member) => {
    const keys = variables.get(variable)?.map(([key]) => key);
    if (keys === undefined) return whole;
    if (!keys.includes(member)) throw new Error(`Unknown export: ${whole}`);
    return `${variable}[${keys.indexOf(member)}]`;
  });
}

/**
 * What a module requires of the build only so that it is evaluated, is left out where something else that it requires does
 * so: of some 600 in the files of a change, 200. The variables of the others get names that all modules share, since V8
 * keeps each name in a table.
 * @param modules code by name, as `asCommonJs` makes it
 * @returns the code, by name
 */
export function withNeededAlone(modules) {
  const reached = new Map();
  const reachedFrom = (name) => {
    const known = reached.get(name);
    if (known !== undefined) return known;
    const needed = [...(modules.get(name) ?? '').matchAll(required)];
    const all = new Set(needed.flatMap(([, , other]) => [other, ...reachedFrom(other)]));
    reached.set(name, all);
    return all;
  };
  return new Map([...modules].map(([name, code]) => [name, withShortNames(neededIn(code, reachedFrom))]));
}

function neededIn(code, reachedFrom) {
  const needed = [...code.matchAll(required)];
  const reached = new Set(needed.flatMap(([, , name]) => [...reachedFrom(name)]));
  const needless = needed.filter(
    ([, variable, name]) => reached.has(name) && code.split(variable).length === 2,
  );
  return needless.reduce((rest, [whole]) => {
    const part = [`${whole},`, `,${whole}`, `var ${whole};`].find((each) => rest.includes(each));
    return part === undefined ? rest : rest.replace(part, () => '');
  }, code);
}

function withShortNames(code) {
  const names = new Map();
  return code.replaceAll(/\bimport_chunk_\w+/g, (name) => {
    const short = names.get(name) ?? `import_${names.size}`;
    names.set(name, short);
    return short;
  });
}

/**
 * Modules that are made by the first use of one of their exports: of a file with many functions a short run uses few, and
 * makes all. They must do nothing but declare.
 * @param isLate whether a module, by name, is one of them
 */
export function withLateModules(code, isLate) {
  const found = [...code.matchAll(required)].filter(([, , name]) => isLate(name));
  return found.reduce((all, [declared, variable, name]) => {
    const use = new RegExp(`(?<!(?<!\\.\\.)\\.|[\\w$])${variable.replaceAll('$', '\\$')}(?=[.[])`, 'g');
    return all.replace(declared, variable).replaceAll(use, `(${variable}??=require("./${name}"))`);
  }, code);
}

/** Stands before the functions of a file: a module of Node with itself as its default export, and the exports of a chunk. */
export const helpers = 'const __builtin=all=>Object.create(all,{default:{value:all}}),__list=(...all)=>all;';

/** What esbuild puts before a file that imports modules. */
const unused = /var __create=.*?__toESM=\(.*?,mod\)\);/s;

/**
 * The same for a file of its own, without helpers. esbuild would copy every member of a module of Node, of which most
 * files use the default export alone.
 */
export function withBuiltins(code) {
  const imported = /([\w$]+)=__toESM\(require\("(node:[^"]+)"\)(?:,1)?\)/g;
  const plain = code.replaceAll(imported, (_, name, builtin) => {
    const needed = `require("${builtin}")`;
    const other = new RegExp(`(?<![.\\w$])${name.replaceAll('$', '\\$')}(?![\\w$=]|\\.default\\b)`);
    return other.test(code)
      ? `${name}=Object.create(${needed},{default:{value:${needed}}})`
      : `${name}={default:${needed}}`;
  });
  return plain.includes('__toESM(') ? plain : plain.replace(unused, '');
}
