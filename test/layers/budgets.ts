import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** What each layer may take: seconds of its files, one after the other, on a quiet machine with two cores. */
const budgets: Readonly<Record<string, number>> = { unit: 110, world: 340, program: 180, docs: 90 };

/** Prints at the end what each layer took of its budget, and `N passed, N failed`. Machines differ: nothing fails by time. */
export class Budgets implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const layers = groupsOf(modules);
    for (const [name, files] of layers) console.log(spent(name, files));
    const count = (state: 'passed' | 'failed') =>
      modules.flatMap(({ children }) => [...children.allTests(state)]).length;
    const broken = modules.filter((file) => !file.ok() && [...file.children.allTests('failed')].length === 0);
    console.log(`${count('passed')} passed, ${count('failed') + broken.length + errors.length} failed`);
  }
}

/** `world  8702 tests, 231 s of 250 s`. */
function spent(layer: string, files: readonly TestModule[]): string {
  const ms = files
    .map((file) => file.diagnostic())
    .reduce(
      (sum, { collectDuration, setupDuration, duration }) => sum + collectDuration + setupDuration + duration,
      0,
    );
  const tests = files.flatMap(({ children }) => [...children.allTests()]).length;
  const budget = budgets[layer];
  const of = budget === undefined ? '' : ` of ${budget} s${ms > budget * 1000 ? ', over its budget' : ''}`;
  return `${layer.padEnd(8)} ${tests} tests, ${Math.round(ms / 1000)} s${of}`;
}

function groupsOf(modules: readonly TestModule[]): Map<string, TestModule[]> {
  const groups = new Map<string, TestModule[]>();
  for (const module of modules)
    groups.set(module.project.name, [...(groups.get(module.project.name) ?? []), module]);
  return groups;
}
