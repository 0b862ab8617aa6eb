// Modules that the program without Node makes by their first use, as that for Node does (scripts/commonjs.mjs).
import { transform } from 'esbuild';

const imported = /^import \{([^}]*)\} from "\.\/([^"]+)";$/gm;
const alone = /^import "\.\/([^"]+)";\n/gm;
const exported = /^export \{([^}]*)\};$/gm;

/**
 * Turns imports of late modules into `(late_0 ??= require(…))` where one of their names is used. Bun loads a module that
 * is required from a file of its own.
 * @param isLate whether a module, by name, is one of them
 */
export async function withLateImports(text, isLate) {
  const passedOn = new Set(
    [...text.matchAll(exported)].flatMap(([, list]) => pairsOf(list).map(([name]) => name)),
  );
  const found = [...text.matchAll(imported)].filter(
    ([, list, name]) => isLate(name) && pairsOf(list).every(([, local]) => !passedOn.has(local)),
  );
  // They only declare, so nothing is missed where none of their names is used.
  const needed = text.replaceAll(alone, (whole, name) => (isLate(name) ? '' : whole));
  if (found.length === 0) return needed;
  const define = Object.fromEntries(
    found.flatMap(([, list], at) => pairsOf(list).map(([name, local]) => [local, `late_${at}.${name}`])),
  );
  const rest = found.reduce((left, [whole]) => left.replace(whole, ''), needed);
  // Only names that nothing in the text declares are replaced.
  const { code } = await transform(rest, { define, format: 'esm', target: 'esnext' });
  const variables = found.map((_, at) => `late_${at}`).join(', ');
  const used = code.replaceAll(
    /\blate_(\d+)\./g,
    (_, at) => `(late_${at} ??= require("./${found[Number(at)][2]}")).`,
  );
  return `${used}var ${variables};\n`;
}

/** `a, b as c` as names with what stands for them here. */
function pairsOf(list) {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [name, local = name] = each.split(' as ');
      return [name, local];
    });
}
