import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { transformSync } from 'esbuild';

const silent = { debug() {}, info() {}, isDebugEnabled: () => false };
const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false };

/** @param onMutant is given each mutant, and says whether the code is to have it */
async function instrument(files, onMutant, isPrinted) {
  const maker = new Instrumenter(silent);
  const transform = maker._transform;
  if (!isPrinted) maker._print = () => '';
  maker._transform = (ast, collector, context) => {
    const collect = Object.getPrototypeOf(collector).collect;
    collector.collect = (...words) => {
      const mutant = collect.apply(collector, words);
      if (!onMutant(mutant)) mutant.ignoreReason = 'not drawn';
      return mutant;
    };
    transform(ast, collector, context);
  };
  const made = await maker.instrument(
    files.map(({ name, content }) => ({ name, content, mutate: true })),
    options,
  );
  return made.files;
}

/** What a mutant is known by, wherever its lines move to: its file, both texts, and which of those alike it is. */
function withKeys(mutants) {
  const seen = new Map();
  return mutants.map((mutant) => {
    const text = [mutant.file, mutant.mutator, mutant.original, mutant.replacement].join('\n');
    const nth = (seen.get(text) ?? 0) + 1;
    seen.set(text, nth);
    return { ...mutant, nth, key: createHash('sha256').update(`${text}\n${nth}`).digest('hex').slice(0, 16) };
  });
}

/** The source with this mutant in place of its text. */
export function mutated(source, { start, end, mutator, replacement }) {
  // `a ?? b` within `x ?? a ?? b` becomes `x ?? (a && b)`, which no operator takes without parentheses.
  const text = mutator === 'LogicalOperator' ? `(${replacement})` : replacement;
  return source.slice(0, start) + text + source.slice(end);
}

/** Types are gone from what runs, so a change of one is no mutant. */
function isOfTypes(source, mutant) {
  const compiled = (text) => transformSync(text, { loader: 'ts' }).code;
  return compiled(source) === compiled(mutated(source, mutant));
}

/**
 * Draws from all mutants of these files, each as likely as the other. One that changes elsewhere in the tree does not
 * change the draw: those with the least hash of the seed and their key are drawn.
 */
export async function draw(root, paths, seed, count) {
  const sources = new Map(paths.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
  const files = [...sources].map(([name, content]) => ({ name, content }));
  const found = [];
  await instrument(files, ({ fileName, original, replacementCode, mutatorName }) => {
    const { start, end, loc } = original;
    const text = sources.get(fileName).slice(start, end);
    const place = { file: fileName, line: loc.start.line, start, end };
    found.push({ ...place, mutator: mutatorName, original: text, replacement: replacementCode });
    return false;
  });
  const all = withKeys(found);
  const rank = ({ key }) => createHash('sha256').update(`${seed} ${key}`).digest('hex');
  const ranked = all.map((mutant) => [rank(mutant), mutant]).sort(([a], [b]) => (a < b ? -1 : 1));
  const drawn = [];
  for (const [, mutant] of ranked) {
    if (drawn.length === count) break;
    if (!isOfTypes(sources.get(mutant.file), mutant)) drawn.push(mutant);
  }
  const sorted = drawn.sort((a, b) =>
    a.file === b.file ? a.start - b.start || a.end - b.end : a.file < b.file ? -1 : 1,
  );
  return { of: all.length, drawn: sorted.map((mutant, at) => ({ number: at + 1, ...mutant })) };
}

/** Puts the mutants into the files of a copy, each behind a switch that its number turns on. */
export async function placeSwitches(root, mutants) {
  const names = [...new Set(mutants.map(({ file }) => file))];
  const files = names.map((name) => ({ name, content: readFileSync(join(root, name), 'utf8') }));
  const made = await instrument(
    files,
    (mutant) => {
      const { start, end } = mutant.original;
      const drawn = mutants.find(
        (one) =>
          one.file === mutant.fileName &&
          one.start === start &&
          one.end === end &&
          one.mutator === mutant.mutatorName &&
          one.replacement === mutant.replacementCode,
      );
      if (drawn) mutant.id = String(drawn.number);
      return drawn !== undefined;
    },
    true,
  );
  for (const { name, content } of made) writeFileSync(join(root, name), content);
}
