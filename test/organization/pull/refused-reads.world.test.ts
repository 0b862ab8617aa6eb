import { refuseReads } from './refused-reads.js';

// One read of each shape, such as the custom fields of a space, in one of four parts: the statuses are the same to
// docs, and so is what was pulled before. The long test refuses all in each.
refuseReads((lines, part, half) => {
  const shape = (line: string) => line.replaceAll(/\/\w{16,}/g, '/*');
  const some = lines.filter((line, at) => lines.findIndex((other) => shape(other) === shape(line)) === at);
  const own = some.filter((_, at) => at % 4 === part);
  return own.filter((_, at) => half === undefined || at % 2 === half);
});
