/** How often each name occurs, in the order of the known names, then as they come. */
export function countsOf(names: readonly string[], known: readonly string[] = []): Record<string, number> {
  const counts = new Map<string, number>(known.map((name) => [name, 0]));
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].filter(([, count]) => count > 0));
}
