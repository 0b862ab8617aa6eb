import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../src/base/values.js';
import { copyDifferences } from '../../src/sandbox/copy/differences.js';

/** What differs between two backups, but for what `differences.ts` lists. */
export function differing(before: string, after: string): string[] {
  const [old, now] = [filesIn(before), filesIn(after)];
  const paths = [...new Set([...old, ...now])].sort();
  return paths.flatMap((path) => {
    if (!old.includes(path)) return [`${path}: added`];
    if (!now.includes(path)) return [`${path}: missing`];
    const [a, b] = [textOf(before, path), textOf(after, path)];
    return a === b ? [] : [`${path}: ${firstDifference(a, b)}`];
  });
}

function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below)).flatMap((name) => {
    const path = below === '' ? name : `${below}/${name}`;
    return statSync(join(folder, path)).isDirectory() ? filesIn(folder, path) : [path];
  });
}

function textOf(folder: string, path: string): string {
  const text = readFileSync(join(folder, path), 'latin1');
  const fields = fieldsLeftOut(path);
  if (fields.size === 0) return text;
  return JSON.stringify(without(JSON.parse(Buffer.from(text, 'latin1').toString('utf8')), fields), null, 1);
}

function fieldsLeftOut(path: string): ReadonlySet<string> {
  const listed = copyDifferences.filter(({ files }) => files.test(path));
  return new Set(listed.flatMap(({ field }) => field.split(', ')));
}

function without(value: unknown, fields: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, fields));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !fields.has(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, without(member, fields)]));
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return `…${a.slice(Math.max(0, at - 60), at + 80)}… → …${b.slice(Math.max(0, at - 60), at + 80)}…`;
}
