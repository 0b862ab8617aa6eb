import { relative, resolve } from 'node:path';
import { beforeEach } from 'vitest';
import { exceptions } from '../exceptions.js';

/** With `DOCS_BIN`: leaves the tests out that another program need not pass. */
beforeEach(({ task, skip }) => {
  const file = relative(resolve('test'), task.file.filepath).replaceAll('\\', '/');
  const names = new Set<string>();
  for (let at: { name: string; suite?: unknown } | undefined = task; at !== undefined; at = suiteOf(at))
    names.add(at.name);
  const found = exceptions.find(
    (one) => one.file === file && (one.name === undefined || names.has(one.name)),
  );
  if (found !== undefined) skip(found.reason);
});

function suiteOf({ suite }: { suite?: unknown }): { name: string; suite?: unknown } | undefined {
  return suite as { name: string; suite?: unknown } | undefined;
}
