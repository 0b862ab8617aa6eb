import type { Ranked, Step } from './kept.js';

/** The parts of a mixed list between the wide items that stay. */

/** The narrow items that each part shall have. */
export function partsOf(wanted: readonly Ranked[], stays: ReadonlySet<number>): number[][] {
  const parts: number[][] = [[]];
  wanted.forEach(({ isNarrow }, index) => {
    if (isNarrow) parts.at(-1)?.push(index);
    else if (stays.has(index)) parts.push([]);
  });
  return parts;
}

/**
 * The first move into each part in which no narrow item stays: beside one that leaves later.
 * @returns undefined where parts wait for each other
 */
export function arrivals(wanted: readonly Ranked[], stays: ReadonlySet<number>): Step[] | undefined {
  const parts = partsOf(wanted, stays);
  const inside = occupants(wanted, stays, parts.length);
  const open = new Set(parts.keys());
  for (const [at, part] of parts.entries())
    if (part.length === 0 || part.some((index) => stays.has(index))) open.delete(at);
  const steps: Step[] = [];
  while (open.size > 0) {
    const step = nextArrival(parts, inside, open);
    if (step === undefined) return undefined;
    for (const some of inside) some.delete(step.index);
    open.delete(parts.findIndex((part) => part.includes(step.index)));
    steps.push(step);
  }
  return steps;
}

/** What goes must not leave a part without any that waits for its own first one. */
function nextArrival(
  parts: readonly (readonly number[])[],
  inside: readonly ReadonlySet<number>[],
  open: ReadonlySet<number>,
): Step | undefined {
  for (const at of open) {
    for (const index of parts[at] ?? []) {
      const of = [...(inside[at] ?? [])].find((one) => one !== index);
      const left = inside.findIndex((some) => some.has(index));
      const strands = left !== at && open.has(left) && inside[left]?.size === 1;
      if (of !== undefined && !strands) return { index, side: 'before', of };
    }
  }
  return undefined;
}

/** The narrow items that stand in each part now and do not stay. */
function occupants(wanted: readonly Ranked[], stays: ReadonlySet<number>, count: number): Set<number>[] {
  const borders = wanted.flatMap(({ now, isNarrow }, index) =>
    !isNarrow && stays.has(index) && now !== undefined ? [now] : [],
  );
  const inside = Array.from({ length: count }, () => new Set<number>());
  wanted.forEach(({ now, isNarrow }, index) => {
    if (!isNarrow || now === undefined || stays.has(index)) return;
    inside[borders.filter((border) => border < now).length]?.add(index);
  });
  return inside;
}
