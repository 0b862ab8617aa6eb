// SHA256SUMS of a folder, as `sha256sum --check` reads it.
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export const sumsName = 'SHA256SUMS';

/** @returns the SHA-256 of a file, in hexadecimal digits */
export async function sumOf(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Writes the sums of all files of a folder, in the order of their names. */
export async function writeSums(folder) {
  const lines = [];
  for (const name of filesOf(folder)) lines.push(`${await sumOf(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, sumsName), lines.join(''));
}

/**
 * Compares a folder with its SHA256SUMS, both ways.
 * @returns what is wrong, a sentence each; nothing if the folder is whole
 */
export async function wrongSums(folder) {
  const listed = readSums(readFileSync(join(folder, sumsName), 'utf8'));
  const names = filesOf(folder);
  const wrong = [...listed.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is missing`);
  for (const name of names) {
    const sum = listed.get(name);
    if (sum === undefined) wrong.push(`${name} is not in ${sumsName}`);
    else if (sum !== (await sumOf(join(folder, name)))) wrong.push(`${name} is not what ${sumsName} says`);
  }
  return wrong;
}

/** @returns sums by name; throws on a line that is not one */
export function readSums(text) {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [, sum, name] = /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`${sumsName} has a line that is not a sum: ${line}`);
      return [name, sum];
    }),
  );
}

/** A release is flat: files on the page of a release have no folders. */
function filesOf(folder) {
  return readdirSync(folder)
    .filter((name) => name !== sumsName)
    .sort();
}
