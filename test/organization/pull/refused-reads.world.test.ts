import { refuseReads } from './refused-reads.js';

// One read of each shape, such as the custom fields of a space, and of these a third with the other status, which
// is the same to docs. The long test refuses all.
refuseReads((lines, status) => {
  const shape = (line: string) => line.replaceAll(/\/\w{16,}/g, '/*');
  const some = lines.filter((line, at) => lines.findIndex((other) => shape(other) === shape(line)) === at);
  return status === 403 ? some : some.filter((_, at) => at % 3 === 0);
});
