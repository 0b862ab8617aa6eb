import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../src/is-object.js';

/** What differs between two backups, but for what `differences.ts` lists and the times of the runs. */
export function differing(before: string, after: string): string[] {
  const [old, now] = [filesIn(before), filesIn(after)];
  const paths = [...new Set([...old, ...now])].sort();
  return paths.flatMap((path) => {
    if (!old.includes(path)) return [`${path}: added`];
    if (!now.includes(path)) return [`${path}: missing`];
    const [a, b] = [textOf(join(before, path)), textOf(join(after, path))];
    return a === b ? [] : [`${path}: ${firstDifference(a, b)}`];
  });
}

function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below)).flatMap((name) => {
    const path = below === '' ? name : `${below}/${name}`;
    return statSync(join(folder, path)).isDirectory() ? filesIn(folder, path) : [path];
  });
}

function textOf(path: string): string {
  const text = readFileSync(path, 'latin1');
  if (/\/openapi\/[^/]+\/(?:versions|content)\.json$/.test(path))
    return text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://sandbox');
  if (!path.endsWith('manifest.json')) return text;
  return JSON.stringify(timeless(JSON.parse(Buffer.from(text, 'latin1').toString('utf8'))), null, 1);
}

/** Manifests have the times of the run, and hashes of files with addresses. */
const ofRun = ['startedAt', 'finishedAt', 'repliesReadAt', 'accessReadAt', 'readAt', 'sha256', 'bytes'];

function timeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timeless);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !ofRun.includes(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, timeless(member)]));
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return `…${a.slice(Math.max(0, at - 60), at + 80)}… → …${b.slice(Math.max(0, at - 60), at + 80)}…`;
}
