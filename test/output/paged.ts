import { PagingSink } from '../../src/output/pager.js';
import { type FakeIo, fakeIo } from '../fake-io.js';
import { terminal } from './printed.js';

/** Ten lines of screen; the pager is a program that reads all it is given and shows none of it. */
export function sinkOn(pager = 'sh -c "cat > /dev/null"'): { io: FakeIo; sink: PagingSink } {
  const io = fakeIo({
    ...terminal,
    env: { DOCS_PAGER: pager, PATH: process.env.PATH },
    cwd: '/',
    columns: 20,
  });
  io.stdout.rows = 10;
  const sink = new PagingSink(io, { setting: undefined, quiet: false });
  return { io: Object.assign(io, { paging: sink }), sink };
}

export const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}\n`).join('');
