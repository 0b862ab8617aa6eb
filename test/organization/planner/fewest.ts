/** How few moves there can be, by definition and not as the planner counts. */

/** The length of the longest run of rising numbers, with gaps. */
export function longestRun(values: readonly number[]): number {
  const best = values.map(() => 1);
  for (const [at, value] of values.entries())
    for (let before = 0; before < at; before += 1)
      if ((values[before] as number) < value)
        best[at] = Math.max(best[at] as number, (best[before] as number) + 1);
  return Math.max(0, ...best);
}

/**
 * The moves from an order to all others: breadth first, over all moves that the platform has. Moves of sections name
 * sections only, those of groups both.
 * @param until an order at which to end
 */
export function distances(
  start: readonly string[],
  isGroup: (item: string) => boolean,
  until?: string,
): Map<string, number> {
  const found = new Map([[start.join(), 0]]);
  let level = [start];
  while (level.length > 0 && !found.has(until ?? '-')) {
    const next: (readonly string[])[] = [];
    for (const list of level)
      for (const moved of moves(list, isGroup)) {
        if (found.has(moved.join())) continue;
        found.set(moved.join(), (found.get(list.join()) ?? 0) + 1);
        next.push(moved);
      }
    level = next;
  }
  return found;
}

function moves(list: readonly string[], isGroup: (item: string) => boolean): string[][] {
  return list.flatMap((item) => {
    const rest = list.filter((one) => one !== item);
    const beside = rest.filter((of) => isGroup(item) || !isGroup(of));
    return beside.flatMap((of) => [0, 1].map((side) => rest.toSpliced(rest.indexOf(of) + side, 0, item)));
  });
}
